/** Messages name files, users and processes; never a password or a row. */
export interface EmbeddedLog {
  info(message: string): void
  warn(message: string): void
}
