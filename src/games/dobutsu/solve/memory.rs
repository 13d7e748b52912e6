//! A large block of bytes that is asked for at random places.

use std::io::{self, Read};
use std::ops::Deref;

use memmap2::MmapMut;

/// Bytes in large pages where the system has them: a look at a random place then seldom has to wait for the page tables.
pub(super) struct Memory(MmapMut);

impl Memory {
    fn new(len: usize) -> io::Result<Memory> {
        let map = MmapMut::map_anon(len)?;
        // Only a wish: without large pages all goes on, somewhat slower.
        #[cfg(target_os = "linux")]
        let _ = map.advise(memmap2::Advice::HugePage);
        Ok(Memory(map))
    }

    /// The next `len` bytes of a file; an error of kind `UnexpectedEof` if there are fewer.
    pub(super) fn read(file: &mut impl Read, len: usize) -> io::Result<Memory> {
        let mut memory = Memory::new(len)?;
        file.read_exact(&mut memory.0)?;
        Ok(memory)
    }

    /// A copy of these bytes.
    pub(super) fn copy(bytes: &[u8]) -> io::Result<Memory> {
        let mut memory = Memory::new(bytes.len())?;
        memory.0.copy_from_slice(bytes);
        Ok(memory)
    }
}

impl Deref for Memory {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.0
    }
}
