import { availableParallelism, totalmem } from 'node:os'

/** What the settings are chosen from: the memory in bytes, and how many threads run at the same time. */
export type Machine = { memory: number; cores: number }

/** The limits of a container count, not the machine that it runs on. */
export const thisMachine = (): Machine => ({
  memory: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
  cores: availableParallelism(),
})

const MiB = 2 ** 20

/** The settings that depend on the machine. What they gained is in bench/NOTES.md (ADR 35). */
export const sizes = ({ memory, cores }: Machine): Record<string, string> => ({
  // A larger buffer does not make reads cheaper, because the rest is in the page cache of the system.
  shared_buffers: megabytes(between(32 * MiB, memory / 8, 256 * MiB)),
  effective_cache_size: megabytes(memory / 2),
  // A parallel scan takes more CPU time in all, and here there is no idle core to give it.
  max_parallel_workers_per_gather: cores > 2 ? '2' : '0',
})

/** Everything that differs from PostgreSQL's own defaults. An operator's `alter system` wins over these. */
export const clusterSettings = (
  name: string,
  socketFolder: string,
  machine: Machine = thisMachine(),
): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  cluster_name: name,
  max_connections: '100',
  // Our transactions are short: a deadlock is detected soon, and one of the two is retried.
  deadlock_timeout: '100ms',

  ...sizes(machine),
  random_page_cost: '1.1',
  jit: 'off',

  // Nothing replicates from an embedded cluster, so the log need only survive a crash.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',

  // Reads never wait for io workers that were killed during a recovery.
  io_method: 'sync',

  autovacuum_naptime: '15s',
  autovacuum_analyze_scale_factor: '0.02',
  autovacuum_vacuum_scale_factor: '0.05',
  // Lists are read from indexes alone, which works for rows that were vacuumed.
  autovacuum_vacuum_insert_scale_factor: '0.05',

  timezone: 'UTC',
  log_timezone: 'UTC',
  logging_collector: 'on',
  log_directory: 'log',
  log_filename: 'postgresql-%a.log',
  log_rotation_age: '1d',
  log_rotation_size: '0',
  log_truncate_on_rotation: 'on',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Statements and the values in details belong to the users, not into a log.
  log_error_verbosity: 'terse',
  log_min_error_statement: 'panic',
})

/** The text of `postgresql.conf`. */
export const configFile = (settings: Record<string, string>) =>
  [
    '# Written anew at every start. Your own settings: alter system set <name> = <value>',
    ...Object.entries(settings).map(([name, value]) => `${name} = '${escaped(value)}'`),
    '',
  ].join('\n')

const escaped = (value: string) => value.replaceAll('\\', '\\\\').replaceAll("'", "''")
const between = (least: number, value: number, most: number) => Math.min(Math.max(least, value), most)
const megabytes = (bytes: number) => `${Math.floor(bytes / MiB)}MB`
