import { totalmem } from 'node:os'

/** Everything that differs from PostgreSQL's own defaults. An operator's `alter system` wins over these. */
export const clusterSettings = (name: string, socketFolder: string): Record<string, string> => ({
  listen_addresses: '',
  unix_socket_directories: `"${socketFolder.replaceAll('"', '""')}"`,
  unix_socket_permissions: '0700',
  cluster_name: name,
  max_connections: '100',
  // Our transactions are short: a deadlock is detected soon, and one of the two is retried.
  deadlock_timeout: '100ms',

  shared_buffers: megabytes(Math.min(256 * 2 ** 20, memory() / 4)),
  effective_cache_size: megabytes(memory() / 2),
  random_page_cost: '1.1',
  jit: 'off',

  // Nothing replicates from an embedded cluster, so the log need only survive a crash.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',

  // Tables start empty and grow fast: plans follow only when statistics do.
  autovacuum_analyze_scale_factor: '0.02',
  autovacuum_vacuum_scale_factor: '0.05',

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
const megabytes = (bytes: number) => `${Math.floor(bytes / 2 ** 20)}MB`
const memory = () => Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)
