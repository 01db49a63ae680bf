import { SOCKET_PORT } from './connection-urls.js'
import type { ServerHome } from './server-home.js'

/** At 2 MB/s, more than this service writes, an hour of copying. */
export const keptLogGigabytesMost = 8

/** On the command line, not in postgresql.conf, so that a data folder of an older Casenote gets them, too. */
export function makeServerArguments(
  home: ServerHome,
  socketDir: string,
  overrides: Record<string, string>,
): string[] {
  const settings: Record<string, string> = {
    listen_addresses: '',
    port: String(SOCKET_PORT),
    // A list: a comma in the path would end it.
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: '0700',
    max_connections: '100',
    fsync: 'on',
    jit: 'off',
    // A backup keeps log from being removed until it ends. A failed backup is better than a full disk.
    max_slot_wal_keep_size: `${keptLogGigabytesMost}GB`,
    timezone: 'UTC',
    // PostgreSQL prints row values in details, statements and even first lines (`invalid input syntax for type date:
    // "…"`); a log must hold none. `log` leaves out errors, which the program reports itself by their SQLSTATE, and
    // keeps what concerns the server.
    log_min_messages: 'log',
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    log_statement: 'none',
    log_min_duration_statement: '-1',
    log_timezone: 'UTC',
    log_line_prefix: '%m [%p] ',
    // A week of files, each begun afresh when its day comes round again. Rotation by size would only reopen
    // the same file and go on; boundLogFolder keeps each one small.
    logging_collector: 'on',
    log_destination: 'stderr',
    log_directory: home.log,
    log_filename: 'postgresql-%a.log',
    log_file_mode: '0600',
    log_truncate_on_rotation: 'on',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    ...overrides,
  }
  return [
    '-D',
    home.cluster,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
