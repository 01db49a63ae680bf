import { CasenoteProcess, freePort, untilReady } from './casenote-process.js'

export interface StartedRole {
  process: CasenoteProcess
  /** Every port that tells its health. */
  urls: string[]
}

/** A process of its own, ready on every port. */
export async function startRole(
  command: 'api' | 'worker' | 'dispatcher',
  env: Record<string, string>,
): Promise<StartedRole> {
  const [port, adminPort] = [await freePort(), await freePort()]
  const running = new CasenoteProcess([command], {
    ...env,
    PORT: String(port),
    CASENOTE_ADMIN_PORT: String(adminPort),
  })
  const urls = [adminPort, ...(command === 'api' ? [port] : [])].map((one) => `http://127.0.0.1:${one}`)
  for (const url of urls) await untilReady(running, url)
  return { process: running, urls }
}

export const startAllRoles = (env: Record<string, string>): Promise<StartedRole[]> =>
  Promise.all((['api', 'worker', 'dispatcher'] as const).map((command) => startRole(command, env)))

export const askHealth = async (url: string): Promise<{ status: number; body: unknown }> => {
  const answer = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) })
  return { status: answer.status, body: await answer.json() }
}

export const isReadyAt = async (url: string): Promise<boolean> => (await askHealth(url)).status === 200
