//! One source file, as far as the rule needs it: what it defines, what it names, and how long it is.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use proc_macro2::{Ident, Spacing, TokenStream, TokenTree};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, Meta, Token, UseTree, Visibility};

/// A path in the source, without generic arguments. `$crate` is `crate`.
pub(crate) type Segments = Vec<String>;

#[derive(Debug, Default)]
pub(crate) struct Source {
    /// The file's own module, then those written inside it.
    pub(crate) modules: Vec<Module>,
    pub(crate) mentions: Vec<Mention>,
    /// Lines with code, without comments and tests.
    pub(crate) code_lines: usize,
    /// Whether there is nothing but `mod` and `use`.
    only_declares: bool,
}

impl Source {
    /// Whether other files are modules of this one, as those of a `mod.rs`.
    pub(crate) fn declares(&self) -> bool {
        self.modules.iter().any(|module| !module.files.is_empty())
    }

    /// Whether this is but a list of other files and their names, which has no place in the order.
    pub(crate) fn is_contents(&self) -> bool {
        self.only_declares && self.declares()
    }
}

#[derive(Debug, Default)]
pub(crate) struct Module {
    /// The module around it, as an index of `Source::modules`.
    pub(crate) around: Option<usize>,
    pub(crate) name: String,
    pub(crate) items: BTreeSet<String>,
    /// Modules that are files of their own.
    pub(crate) files: BTreeSet<String>,
    /// The names that `use` brings, each with its path.
    pub(crate) aliases: Vec<(String, Segments)>,
    pub(crate) globs: Vec<Segments>,
}

/// A path that is named in code or imported.
#[derive(Debug)]
pub(crate) struct Mention {
    pub(crate) module: usize,
    pub(crate) path: Segments,
    pub(crate) line: usize,
    /// `use` with a visibility.
    pub(crate) re_export: bool,
}

pub(crate) fn read(text: &str) -> syn::Result<Source> {
    // Comments are most of the text, and parsing is all that takes time here.
    let code: Vec<_> = text
        .lines()
        .map(|line| if line.trim_start().starts_with("//") { "" } else { line })
        .collect();
    let tokens: TokenStream = code.join("\n").parse()?;
    let file: syn::File = syn::parse2(tokens.clone())?;
    let mut reader = Reader {
        source: Source {
            modules: vec![Module::default()],
            only_declares: file.items.iter().all(|item| {
                is_test(attributes(item))
                    || matches!(item, Item::Use(_))
                    || matches!(item, Item::Mod(m) if m.content.is_none())
            }),
            ..Source::default()
        },
        module: 0,
        depth: 0,
        tests: Vec::new(),
    };
    reader.visit_file(&file);
    let mut lines = BTreeSet::new();
    mark_lines(tokens, &mut lines);
    for test in reader.tests {
        lines.retain(|line| !test.contains(line));
    }
    reader.source.code_lines = lines.len();
    Ok(reader.source)
}

struct Reader {
    source: Source,
    /// The module that is being read.
    module: usize,
    /// How many functions are around.
    depth: usize,
    tests: Vec<RangeInclusive<usize>>,
}

impl Reader {
    fn here(&mut self) -> &mut Module {
        &mut self.source.modules[self.module]
    }

    fn mention(&mut self, path: Segments, line: usize, re_export: bool) {
        let module = self.module;
        self.source.mentions.push(Mention {
            module,
            path,
            line,
            re_export,
        });
    }

    /// Whether the code under `attributes` is a test; its lines count for nothing.
    fn skips(&mut self, attributes: &[Attribute], code: &impl Spanned) -> bool {
        let skips = is_test(attributes);
        if skips {
            let span = code.span();
            self.tests.push(span.start().line..=span.end().line);
        }
        skips
    }

    fn import(&mut self, tree: &UseTree, before: &Segments, re_export: bool) {
        let joined = |ident: &Ident| {
            let mut path = before.clone();
            if ident != "self" || path.is_empty() {
                path.push(ident.to_string());
            }
            path
        };
        match tree {
            UseTree::Path(path) => self.import(&path.tree, &joined(&path.ident), re_export),
            UseTree::Group(group) => {
                for tree in &group.items {
                    self.import(tree, before, re_export);
                }
            }
            UseTree::Glob(star) => {
                self.here().globs.push(before.clone());
                self.mention(before.clone(), star.span().start().line, re_export);
            }
            UseTree::Name(name) => {
                let path = joined(&name.ident);
                let last = path.last().cloned().unwrap_or_default();
                self.here().aliases.push((last, path.clone()));
                self.mention(path, line_of(&name.ident), re_export);
            }
            UseTree::Rename(name) => {
                let path = joined(&name.ident);
                self.here().aliases.push((name.rename.to_string(), path.clone()));
                self.mention(path, line_of(&name.ident), re_export);
            }
        }
    }

    /// Paths, calls and definitions in the body of a macro or of its use, which no grammar describes. `as_items`: outside
    /// of functions, where a definition is one of the module.
    fn scan(&mut self, tokens: TokenStream, as_items: bool) {
        let tokens: Vec<_> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Group(group) => self.scan(group.stream(), as_items),
                TokenTree::Ident(name) => {
                    let variable = is_punct(&tokens, at.wrapping_sub(1), '$') && name != "crate";
                    let after_dot = is_punct(&tokens, at.wrapping_sub(1), '.');
                    let defined = DEFINES.iter().any(|word| is_word(&tokens, at.wrapping_sub(1), word));
                    if defined && as_items && !after_dot {
                        self.here().items.insert(name.to_string());
                    } else if !variable && !defined && !after_dot {
                        let mut path = vec![name.to_string()];
                        while is_punct(&tokens, at + 1, ':') && is_punct(&tokens, at + 2, ':') {
                            let Some(TokenTree::Ident(next)) = tokens.get(at + 3) else {
                                break;
                            };
                            path.push(next.to_string());
                            at += 3;
                        }
                        self.mention(path, line_of(name), false);
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
}

/// The words before the name of a definition.
const DEFINES: [&str; 8] = ["const", "enum", "fn", "static", "struct", "trait", "type", "union"];

impl<'ast> Visit<'ast> for Reader {
    fn visit_attribute(&mut self, _: &'ast Attribute) {}

    fn visit_visibility(&mut self, _: &'ast Visibility) {}

    fn visit_item(&mut self, item: &'ast Item) {
        if self.skips(attributes(item), item) {
            return;
        }
        if let Some(name) = defined_name(item).filter(|_| self.depth == 0) {
            self.here().items.insert(name);
        }
        visit::visit_item(self, item);
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        let name = item.ident.to_string();
        let Some((_, items)) = &item.content else {
            self.here().files.insert(name);
            return;
        };
        let around = std::mem::replace(&mut self.module, self.source.modules.len());
        self.source.modules.push(Module {
            around: Some(around),
            name,
            ..Module::default()
        });
        for item in items {
            self.visit_item(item);
        }
        self.module = around;
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let re_export = !matches!(item.vis, Visibility::Inherited);
        self.import(&item.tree, &Vec::new(), re_export);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let Some(name) = &item.ident {
            let exported = item.attrs.iter().any(|a| a.path().is_ident("macro_export"));
            let module = if exported { 0 } else { self.module };
            self.source.modules[module].items.insert(name.to_string());
            self.scan(item.mac.tokens.clone(), false);
        } else {
            self.visit_path(&item.mac.path);
            self.scan(item.mac.tokens.clone(), true);
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.visit_path(&call.path);
        self.scan(call.tokens.clone(), false);
    }

    fn visit_impl_item(&mut self, item: &'ast syn::ImplItem) {
        let attributes: &[Attribute] = match item {
            syn::ImplItem::Const(item) => &item.attrs,
            syn::ImplItem::Fn(item) => &item.attrs,
            syn::ImplItem::Type(item) => &item.attrs,
            syn::ImplItem::Macro(item) => &item.attrs,
            _ => &[],
        };
        if !self.skips(attributes, item) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        self.depth += 1;
        visit::visit_block(self, block);
        self.depth -= 1;
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if !self.skips(&local.attrs, local) {
            visit::visit_local(self, local);
        }
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        if !self.skips(&field.attrs, field) {
            visit::visit_field(self, field);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let named = segments(path);
        if named.first().is_some_and(|first| first != "Self") {
            self.mention(named, line_of(&path.segments[0].ident), false);
        }
        visit::visit_path(self, path);
    }
}

fn segments(path: &syn::Path) -> Segments {
    path.segments.iter().map(|segment| segment.ident.to_string()).collect()
}

fn line_of(name: &Ident) -> usize {
    name.span().start().line
}

fn is_punct(tokens: &[TokenTree], at: usize, wanted: char) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(found)) if found.as_char() == wanted
        // `..name` is a range or a rest, `.name` is not.
        && !(wanted == '.' && is_joint(tokens, at.wrapping_sub(1))))
}

fn is_joint(tokens: &[TokenTree], at: usize) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Punct(found)) if found.as_char() == '.' && found.spacing() == Spacing::Joint)
}

fn is_word(tokens: &[TokenTree], at: usize, wanted: &str) -> bool {
    matches!(tokens.get(at), Some(TokenTree::Ident(found)) if found == wanted)
}

/// Whether code under `attributes` is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && attribute.parse_args().is_ok_and(|condition| needs_test(&condition))
    })
}

fn needs_test(condition: &Meta) -> bool {
    match condition {
        Meta::Path(path) => path.is_ident("test") || path.is_ident("doctest"),
        Meta::List(list) if list.path.is_ident("all") => list
            .parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)
            .is_ok_and(|parts| parts.iter().any(needs_test)),
        _ => false,
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn defined_name(item: &Item) -> Option<String> {
    let name = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

/// Adds the lines of `tokens` to `lines`.
fn mark_lines(tokens: TokenStream, lines: &mut BTreeSet<usize>) {
    for token in tokens {
        if let TokenTree::Group(group) = token {
            lines.insert(group.span_open().start().line);
            lines.insert(group.span_close().start().line);
            mark_lines(group.stream(), lines);
        } else {
            let span = token.span();
            lines.extend(span.start().line..=span.end().line);
        }
    }
}
