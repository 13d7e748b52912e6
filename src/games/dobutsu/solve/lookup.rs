//! The tables of the index in one block of memory, because every look at one of them is at a random place.

use super::memory::Memory;

/// Four tables: arrangements of chicks, giraffes, which row of elephants, elephants.
#[derive(Default)]
pub(super) struct Lookup {
    memory: Option<Memory>,
    /// Where the second, third and fourth table begin.
    giraffes: usize,
    elephant_rows: usize,
    elephants: usize,
}

impl Lookup {
    pub(super) fn pack(
        chicks: &[(u32, u32)],
        giraffes: &[u32],
        elephant_rows: &[u32],
        elephants: &[u8],
    ) -> Lookup {
        let mut bytes = Vec::new();
        bytes.extend(
            chicks.iter().flat_map(|(start, row)| [start.to_le_bytes(), row.to_le_bytes()]).flatten(),
        );
        let giraffes_at = bytes.len();
        bytes.extend(giraffes.iter().flat_map(|start| start.to_le_bytes()));
        let rows_at = bytes.len();
        bytes.extend(elephant_rows.iter().flat_map(|row| row.to_le_bytes()));
        let elephants_at = bytes.len();
        bytes.extend(elephants);
        let memory = Memory::copy(&bytes).expect("there is memory for ten megabytes");
        Lookup {
            memory: Some(memory),
            giraffes: giraffes_at,
            elephant_rows: rows_at,
            elephants: elephants_at,
        }
    }

    #[inline]
    fn bytes(&self) -> &[u8] {
        self.memory.as_deref().unwrap_or_default()
    }

    #[inline]
    fn word(&self, at: usize) -> usize {
        let bytes = &self.bytes()[at..at + 4];
        u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as usize
    }

    /// Where an arrangement of chicks begins, and which row of giraffes goes on.
    #[inline]
    pub(super) fn chicks(&self, number: usize) -> (usize, usize) {
        (self.word(8 * number), self.word(8 * number + 4))
    }

    /// Where an arrangement of giraffes begins within that.
    #[inline]
    pub(super) fn giraffes(&self, number: usize) -> usize {
        self.word(self.giraffes + 4 * number)
    }

    /// Which row of elephants goes on.
    #[inline]
    pub(super) fn elephant_row(&self, number: usize) -> usize {
        self.word(self.elephant_rows + 4 * number)
    }

    /// The place of an arrangement of elephants within that.
    #[inline]
    pub(super) fn elephant(&self, number: usize) -> usize {
        usize::from(self.bytes()[self.elephants + number])
    }
}
