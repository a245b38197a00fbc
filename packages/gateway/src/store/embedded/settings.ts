// The settings of the embedded PostgreSQL: one that serves a few gateways on one machine, in little memory, and never loses a confirmed row.

const SETTINGS: Record<string, string> = {
  // Every gateway has about a dozen connections. An unused one takes a few kilobytes.
  max_connections: '200',
  // The database is small, and the system keeps its files in memory too.
  shared_buffers: '32MB',
  // A log of this size is replayed in seconds after a crash.
  max_wal_size: '256MB',
  min_wal_size: '32MB',
  // There are no other servers to send the log to.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  // No helper processes: there are no long queries and no large reads.
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  // Dead rows are few: one cleaner that looks every few minutes is enough.
  autovacuum_max_workers: '1',
  autovacuum_worker_slots: '1',
  autovacuum_naptime: '5min',
  // In files of its own: what is in /dev/shm is small in containers, and is removed when the user who started it logs out.
  ...(process.platform !== 'win32' && { dynamic_shared_memory_type: 'mmap' }),
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log says only what happens to the server. Statements may hold names and addresses of people.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
  // An ordinary sync on macOS leaves rows in the disk's own memory.
  ...(process.platform === 'darwin' && { wal_sync_method: 'fsync_writethrough' }),
}

/** As arguments of `postgres`. */
export function settingFlags(more: Readonly<Record<string, string>> = {}): string[] {
  return Object.entries({ ...SETTINGS, ...more }).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
