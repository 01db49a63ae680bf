import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../errno.js'
import { replacePrivateFile } from '../private-file.js'

/** A tenant's newest checkpoint, kept outside the database: who cuts the log there cannot cut this. */
export interface Anchor {
  number: number
  signature: string
  at: string
}

/** By tenant. */
export type Anchors = ReadonlyMap<string, Anchor>

export const anchorFile = (dataDir: string): string => join(dataDir, 'audit-anchors.json')

/** Null: there is no anchor file. */
export async function readAnchors(file: string): Promise<Anchors | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null
    throw error
  }
  return parseAnchors(file, text)
}

function parseAnchors(file: string, text: string): Anchors {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    parsed = null
  }
  const isDamaged = typeof parsed !== 'object' || parsed === null || !Object.values(parsed).every(isAnchor)
  if (isDamaged)
    throw new Error(`${file} is damaged: restore it from a backup, or remove it after a clean verify`)
  return new Map(Object.entries(parsed as Record<string, Anchor>))
}

function isAnchor(value: unknown): boolean {
  const { number, signature, at } = (value ?? {}) as Partial<Record<keyof Anchor, unknown>>
  return Number.isSafeInteger(number) && typeof signature === 'string' && typeof at === 'string'
}

/** Adds to what the file holds; of two anchors of one tenant the higher stays, so that no writer can set one back. */
export async function writeAnchors(file: string, anchors: Anchors): Promise<void> {
  if (anchors.size === 0) return
  const merged = new Map(await readAnchors(file))
  for (const [tenantId, anchor] of anchors) {
    if (anchor.number > (merged.get(tenantId)?.number ?? 0)) merged.set(tenantId, anchor)
  }
  await replacePrivateFile(file, `${JSON.stringify(Object.fromEntries(merged), null, 1)}\n`)
}
