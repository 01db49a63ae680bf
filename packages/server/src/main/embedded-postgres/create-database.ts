import { withConnection } from './connection.js'

/** Safe to run again at any point: a start may be killed between any two of these statements. */
export async function ensureDatabase(superuserUrl: string, ownerPassword: string): Promise<void> {
  await withConnection(superuserUrl, async (client) => {
    const { rows } = await client.query<{ has_role: boolean; has_database: boolean }>(
      `select exists (select from pg_roles where rolname = 'casenote_owner') as has_role,
              exists (select from pg_database where datname = 'casenote') as has_database`,
    )
    if (!rows[0]?.has_role) {
      const password = client.escapeLiteral(ownerPassword)
      await client.query(
        `create role casenote_owner login createrole nosuperuser nobypassrls password ${password}`,
      )
    }
    if (!rows[0]?.has_database) await client.query('create database casenote owner casenote_owner')
  })
}
