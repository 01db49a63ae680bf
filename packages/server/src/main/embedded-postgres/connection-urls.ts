import type { Passwords } from './passwords.js'

export interface ConnectionUrls {
  migrateUrl: string
  databaseUrl: string
  dispatcherUrl: string
  superuserUrl: string
}

/** Part of the socket's file name only: the server listens on no TCP port. */
export const SOCKET_PORT = 5432

export function makeConnectionUrls(passwords: Passwords, socketDir: string): ConnectionUrls {
  const makeUrl = (role: keyof Passwords, database: string): string =>
    `postgres://${role}:${encodeURIComponent(passwords[role])}@/${database}` +
    `?host=${encodeURIComponent(socketDir)}&port=${SOCKET_PORT}`
  return {
    migrateUrl: makeUrl('casenote_owner', 'casenote'),
    databaseUrl: makeUrl('casenote_api', 'casenote'),
    dispatcherUrl: makeUrl('casenote_dispatch', 'casenote'),
    superuserUrl: makeUrl('postgres', 'postgres'),
  }
}
