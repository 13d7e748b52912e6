//! Files that are never half written: a temporary name, synced, then renamed. Folders and files that one process at a time
//! works on.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What went wrong with which file.
#[derive(Debug, thiserror::Error)]
#[error("cannot {verb} '{}': {error}", path.display())]
pub struct FileError {
    verb: &'static str,
    path: PathBuf,
    /// What the system said.
    #[source]
    pub error: io::Error,
}

impl FileError {
    pub(crate) fn new(verb: &'static str, path: &Path, error: io::Error) -> FileError {
        FileError { verb, path: path.to_path_buf(), error }
    }
}

/// Writes a whole file so that at any moment there is the old one or the new one, never a part.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    write_parts(path, &[bytes])
}

/// The same for a file whose content is in several pieces.
pub fn write_parts(path: &Path, parts: &[&[u8]]) -> Result<(), FileError> {
    let wrong = |error| FileError::new("write", path, error);
    let mut temporary = Temporary::beside(path);
    let written = File::create(&temporary.path)
        .and_then(|mut file| {
            parts.iter().try_for_each(|part| file.write_all(part)).and_then(|()| file.sync_all())
        })
        .and_then(|()| temporary.rename(path))
        .and_then(|()| sync_folder(path));
    written.map_err(wrong)
}

/// After a power cut the new name is there only if the folder has reached the disk too.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = folder_of(path);
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        // Some systems cannot open a folder, some file systems cannot sync one: there it is theirs to care.
        Err(error) if cfg!(unix) && error.kind() != io::ErrorKind::InvalidInput => Err(error),
        _ => Ok(()),
    }
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A file that only this process uses, beside the one that it will become. If it becomes nothing, it is removed.
#[derive(Debug)]
struct Temporary {
    path: PathBuf,
    renamed: bool,
}

impl Temporary {
    fn beside(path: &Path) -> Temporary {
        let path = beside(path, &format!(".{}{TEMPORARY}", std::process::id()));
        hidden().insert(path.clone());
        Temporary { path, renamed: false }
    }

    fn rename(&mut self, to: &Path) -> io::Result<()> {
        fs::rename(&self.path, to)?;
        self.renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.renamed {
            let _ = fs::remove_file(&self.path);
        }
        hidden().remove(&self.path);
    }
}

/// The temporary files and locks of this process, for a process that is told to end: it drops nothing.
fn hidden() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    static HIDDEN: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
    HIDDEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes all temporary files and locks of this process, which is about to end: no other is begun.
pub fn remove_hidden() {
    let hidden = hidden();
    for path in &*hidden {
        let _ = fs::remove_file(path);
    }
    std::mem::forget(hidden);
}

const TEMPORARY: &str = ".dobutsu-ga-tmp";
const WRITING: &str = ".dobutsu-ga-lock";

/// A hidden name beside the file.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(ending);
    path.with_file_name(name)
}

/// A file that is to be written when some work is done: nobody else writes it meanwhile, and whatever would keep it from
/// being written is found before the work.
#[derive(Debug)]
pub struct Claim {
    path: PathBuf,
    _lock: Lock,
}

impl Claim {
    /// Claims a file. Without `force` there must be none; with it, one that is there is replaced, if it is a plain file that
    /// no run is working on.
    pub fn new(path: &Path, force: bool) -> Result<Claim, FileError> {
        let refuse = |why: &str| Err(FileError::new("write", path, io::Error::other(why.to_string())));
        let lock = match Lock::take(beside(path, WRITING)) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return refuse("another process is writing it");
            }
            lock => lock.map_err(|error| FileError::new("write", path, error))?,
        };
        let folder_lock = folder_of(path).join(LOCK);
        if plain(&folder_lock).and_then(|()| File::open(folder_lock)).is_ok_and(|lock| is_locked(&lock)) {
            return refuse("another process is working in its folder");
        }
        match path.symlink_metadata() {
            Ok(there) if there.is_symlink() => return refuse("it is a link: name the file itself"),
            Ok(there) if !there.is_file() => return refuse("it is not a file that could be written"),
            Ok(_) if !force => return refuse("it exists already: --force overwrites it"),
            _ => {}
        }
        // Nobody else can be writing it: what is there is left from a process that was killed.
        let mut stale = beside(path, "").into_os_string();
        stale.push(".");
        remove_temporaries(folder_of(path), Path::new(&stale).file_name().unwrap_or_default());
        let temporary = Temporary::beside(path);
        File::create(&temporary.path).map_err(|error| FileError::new("write", path, error))?;
        Ok(Claim { path: path.to_path_buf(), _lock: lock })
    }

    /// Writes it, and gives it free for others.
    pub fn write(self, bytes: &[u8]) -> Result<(), FileError> {
        write(&self.path, bytes)
    }

    /// Begins to write it piece by piece, for what is too large to be held.
    pub fn grow(self) -> Result<Growing, FileError> {
        let temporary = Temporary::beside(&self.path);
        let file =
            File::create(&temporary.path).map_err(|error| FileError::new("write", &self.path, error))?;
        Ok(Growing { claim: self, temporary, file: Some(BufWriter::new(file)) })
    }
}

/// A file that is written piece by piece and has its name only when all is there.
#[derive(Debug)]
pub struct Growing {
    claim: Claim,
    temporary: Temporary,
    file: Option<BufWriter<File>>,
}

impl Growing {
    fn wrong(&self, error: io::Error) -> FileError {
        FileError::new("write", &self.claim.path, error)
    }

    /// Writes some more.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), FileError> {
        let written = self.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes));
        written.map_err(|error| self.wrong(error))
    }

    /// Gives it its name.
    pub fn finish(mut self) -> Result<(), FileError> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let done = file
            .into_inner()
            .map_err(io::IntoInnerError::into_error)
            .and_then(|file| file.sync_all())
            .and_then(|()| self.temporary.rename(&self.claim.path))
            .and_then(|()| sync_folder(&self.claim.path));
        done.map_err(|error| self.wrong(error))
    }
}

/// Removes what killed processes have left in a folder within one that this process has locked.
pub fn sweep(folder: &Path) {
    remove_temporaries(folder, std::ffi::OsStr::new("."));
}

/// Removes what killed processes have left of files whose temporary name begins like this.
fn remove_temporaries(folder: &Path, begin: &std::ffi::OsStr) {
    let Ok(entries) = folder.read_dir() else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let bytes = name.as_encoded_bytes();
        if bytes.starts_with(begin.as_encoded_bytes()) && bytes.ends_with(TEMPORARY.as_bytes()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Makes a folder and those above it.
pub fn create_folder(path: &Path) -> Result<(), FileError> {
    fs::create_dir_all(path).map_err(|error| FileError::new("create the folder", path, error))
}

/// What is in a folder, apart from what we leave there only for a while. Nothing in a folder that is not there.
pub fn entries(folder: &Path) -> Result<Vec<std::ffi::OsString>, FileError> {
    let ours = |name: &std::ffi::OsString| {
        let bytes = name.as_encoded_bytes();
        name == LOCK || bytes.ends_with(TEMPORARY.as_bytes()) || bytes.ends_with(WRITING.as_bytes())
    };
    let names = match folder.read_dir() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect()),
    };
    let names: Vec<_> = names.map_err(|error| FileError::new("look into the folder", folder, error))?;
    Ok(names.into_iter().filter(|name| !ours(name)).collect())
}

/// The file whose lock says that somebody is working in a folder.
pub const LOCK: &str = ".lock";

/// A file that one process at a time has, gone when it is given back.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock, or fails with [`io::ErrorKind::WouldBlock`] if another process has it.
    fn take(path: PathBuf) -> io::Result<Lock> {
        loop {
            plain(&path)?;
            let file = File::options().create(true).truncate(false).write(true).open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(fs::TryLockError::WouldBlock) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(fs::TryLockError::Error(error)) => return Err(error),
            }
            // Whoever had it before may have removed it between our opening and our locking: then it is nobody's.
            if is_at(&file, &path) {
                hidden().insert(path.clone());
                return Ok(Lock { path, _file: file });
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.path);
        hidden().remove(&self.path);
    }
}

/// Whether this open file is still the one of this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: &fs::Metadata| (data.dev(), data.ino());
    matches!((file.metadata(), path.metadata()), (Ok(a), Ok(b)) if identity(&a) == identity(&b))
}

#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Fails unless there is nothing of this name, or a plain file: to open a FIFO or a device can take for ever.
fn plain(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(there) if !there.is_file() => Err(io::Error::other("it is not a plain file")),
        _ => Ok(()),
    }
}

/// Opens a file named by the user; refuses FIFOs, devices and folders.
pub fn open(path: &Path) -> io::Result<File> {
    plain(path)?;
    File::open(path)
}

/// No text that people write for us is longer: genomes, settings, experiments.
const LONGEST_TEXT: u64 = 1_000_000;

/// Reads a text file named by the user, up to a size limit.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    let read = open(path)?.take(LONGEST_TEXT + 1).read_to_string(&mut text);
    if text.len() as u64 > LONGEST_TEXT {
        return Err(io::Error::other(format!("it has more than {LONGEST_TEXT} bytes")));
    }
    read.map(|_| text)
}

/// Keeps other processes from working in a folder for as long as the lock lives.
pub fn lock(folder: &Path) -> Result<Lock, FileError> {
    let lock = Lock::take(folder.join(LOCK)).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => io::Error::other("another process is working there"),
        _ => error,
    });
    let lock = lock.map_err(|error| FileError::new("use the folder", folder, error))?;
    sweep(folder);
    Ok(lock)
}

/// Whether some process is working in the folder with this lock. (While this looks, which takes an instant, nobody else
/// could begin to.)
pub fn is_locked(lock: &File) -> bool {
    matches!(lock.try_lock_shared(), Err(fs::TryLockError::WouldBlock))
}

/// Removes a file, if it is there.
pub fn remove(path: &Path) -> Result<(), FileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(FileError::new("remove", path, error)),
        _ => Ok(()),
    }
}

/// The content of a file, or `None` if there is none.
pub fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, FileError> {
    let read = |mut file: File| {
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map(|_| bytes)
    };
    match open(path).and_then(read) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::new("read", path, error)),
    }
}

/// A short text that is different for different contents (FNV-1a, 64 bits): good against accidents, not against malice.
pub fn fingerprint(bytes: &[u8]) -> String {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    format!("{:016x}", bytes.iter().fold(0xCBF2_9CE4_8422_2325, mix))
}

/// A path as it must be typed in a shell.
///
/// ```
/// use dobutsu_ga::files::quoted;
/// assert_eq!(quoted("results/a".as_ref()), "results/a");
/// assert_eq!(quoted("my runs/it's".as_ref()), r"'my runs/it'\''s'");
/// ```
pub fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    match !text.is_empty() && text.chars().all(plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("dobutsu-ga-files-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        path
    }

    #[test]
    fn what_cannot_be_listed_is_not_empty() {
        let folder = scratch("listed");
        assert_eq!(entries(&folder.join("nowhere")).unwrap().len(), 0);
        let file = folder.join("file");
        fs::write(&file, "").unwrap();
        assert!(entries(&file).is_err());
        assert_eq!(entries(&folder).unwrap().len(), 1);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn a_claimed_file_is_one_writers() {
        let folder = scratch("claimed");
        let path = folder.join("file");
        let stale = folder.join(".file.999999999.dobutsu-ga-tmp");
        fs::write(&stale, "of a killed process").unwrap();
        let claim = Claim::new(&path, false).unwrap();
        assert!(!stale.exists());
        let error = Claim::new(&path, false).unwrap_err().to_string();
        assert!(error.contains("another process is writing it"), "{error}");
        claim.write(b"first").unwrap();
        let error = Claim::new(&path, false).unwrap_err().to_string();
        assert!(error.contains("exists already: --force overwrites it"), "{error}");
        Claim::new(&path, true).unwrap().write(b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing is left behind");
        let working = lock(&folder).unwrap();
        let error = Claim::new(&path, true).unwrap_err().to_string();
        assert!(error.contains("another process is working in its folder"), "{error}");
        drop(working);
        fs::remove_dir_all(folder).unwrap();
    }
}
