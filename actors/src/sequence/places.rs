//! Zones and volumes: the steps when an actor enters one. Rows are those of the [crate](crate#steps).

use crate::store::inner::Inner;
use crate::value::actor_ref::ActorRef;
use crate::value::event::Event;

impl Inner {
    /// Looks up the zone at the actor's location, and sends the events if the zone has changed.
    #[inline]
    pub(crate) fn zone_step(&mut self, row: &'static str, actor: ActorRef) {
        // Without a map of zones, every actor is in the level's own zone.
        let Some(zones) = self.zones.as_ref().filter(|_| self.rules.zones) else {
            return;
        };
        let Some(slot) = self.find(actor) else { return };
        let record = &self.records[slot];
        let new = zones.zone(record.location).or(self.level_info);
        if new != record.zone && !self.is_level_info(actor) {
            self.change_zone(row, actor, new);
        }
    }

    /// The rest of `zone_step`, if the zone may have changed. Out of line, to keep the test short.
    #[inline(never)]
    fn change_zone(&mut self, row: &'static str, actor: ActorRef, new: Option<ActorRef>) {
        let slot = actor.index();
        let (zone, location) = (self.records[slot].zone, self.records[slot].location);
        // If a handler moved the actor, the move had its own zone step.
        let unmoved = |inner: &Self| {
            let record = &inner.records[slot];
            inner.is_alive(actor) && record.zone == zone && record.location == location
        };
        let new = self.living(new).or(self.level_info);
        let old = self.living(zone).or(self.level_info);
        let (Some(new), Some(old)) = (new, old) else { return };
        if new == old {
            return;
        }
        // The old zone and the actor get their events before the change, the new zone after it.
        self.tell(row, old, Event::ActorLeaving, actor);
        if !unmoved(self) {
            return;
        }
        self.tell(row, actor, Event::ZoneChange, new);
        if unmoved(self) && self.is_alive(new) {
            self.records[slot].zone = Some(new);
            self.tell(row, new, Event::ActorEntered, actor);
        }
    }

    /// Looks up the physics volume at the actor's location, and sends the events if the volume has changed.
    #[inline]
    pub(crate) fn volume_step(&mut self, row: &'static str, actor: ActorRef) {
        let Some(slot) = self.find(actor).filter(|_| self.rules.volumes) else {
            return;
        };
        let record = &mut self.records[slot];
        if self.heads[slot].class().kin.volume {
            record.volume = Some(actor);
            return;
        }
        // Without a map of volumes, every actor stays in the level's own volume.
        let Some(zones) = &self.zones else { return };
        if self.level_info == Some(actor) {
            return;
        }
        match zones.volume(record.location) {
            None => record.volume = self.default_volume,
            Some(new) => self.change_volume(row, actor, new),
        }
    }

    /// The rest of `volume_step`, in a volume of the map.
    #[inline(never)]
    fn change_volume(&mut self, row: &'static str, actor: ActorRef, new: ActorRef) {
        let slot = actor.index();
        let (volume, location) = (self.records[slot].volume, self.records[slot].location);
        // The map is user code, and may return a dead volume.
        if !self.is_alive(new) {
            self.records[slot].volume = self.default_volume;
            return;
        }
        if volume == Some(new) {
            return;
        }
        self.tell(row, actor, Event::PhysicsVolumeChange, new);
        // As in `change_zone`.
        let record = &self.records[slot];
        let unmoved = self.is_alive(actor) && record.volume == volume && record.location == location;
        if !unmoved || !self.is_alive(new) {
            return;
        }
        self.records[slot].volume = Some(new);
        if !self.heads[slot].class().kin.pawn {
            self.tell(row, new, Event::ActorEnteredVolume, actor);
            return;
        }
        // A pawn's head may be in another volume than its centre, for instance above water.
        self.tell(row, new, Event::PawnEnteredVolume, actor);
        if self.is_alive(actor) && self.records[slot].volume == Some(new) {
            let mut head = self.records[slot].location;
            head.z += self.properties(slot).shape.half_height;
            let head = self.zones.as_ref().and_then(|zones| zones.volume(head));
            let head = self.living(head).or(self.default_volume);
            if let Some(head) = head {
                self.tell(row, actor, Event::HeadVolumeChange, head);
            }
        }
    }
}
