import { readFile } from 'node:fs/promises'

export interface SystemUser {
  name: string
  uid: number
  gid: number
}

/** macOS writes nobody's uid as -2, which neither spawn nor chown takes: such an entry counts as absent. */
export async function listSystemUsers(): Promise<SystemUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return []
    return [{ name, uid: Number(uid), gid: Number(gid) }]
  })
}

export async function nameUser(uid: number): Promise<string> {
  const user = (await listSystemUsers()).find((candidate) => candidate.uid === uid)
  return user ? `${user.name} (uid ${uid})` : `uid ${uid}`
}

export function currentUid(): number {
  return process.geteuid?.() ?? -1
}

export function isRoot(): boolean {
  return currentUid() === 0
}
