import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../../kernel/errno.js'
import { replacePrivateFile } from '../../kernel/private-file.js'
import { EmbeddedPostgresProblem } from './problem.js'

const LOGINS = ['postgres', 'casenote_owner', 'casenote_api', 'casenote_dispatch'] as const

export type Passwords = Record<(typeof LOGINS)[number], string>

export function passwordsPath(folder: string): string {
  return join(folder, 'postgres-passwords.json')
}

export async function findPasswords(folder: string): Promise<Passwords | null> {
  const path = passwordsPath(folder)
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
  const passwords = parsePasswords(text)
  if (!passwords) throw new EmbeddedPostgresProblem(`${path} is damaged: restore it from a backup`)
  return passwords
}

export async function createPasswords(folder: string): Promise<Passwords> {
  const passwords = Object.fromEntries(LOGINS.map((login) => [login, randomBytes(24).toString('base64url')]))
  await replacePrivateFile(passwordsPath(folder), `${JSON.stringify(passwords, null, 2)}\n`)
  return passwords as Passwords
}

function parsePasswords(text: string): Passwords | null {
  try {
    const parsed = JSON.parse(text) as Partial<Record<string, unknown>>
    return LOGINS.every((login) => typeof parsed[login] === 'string') ? (parsed as Passwords) : null
  } catch {
    return null
  }
}
