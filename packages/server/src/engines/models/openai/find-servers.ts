import { Agent, request } from 'undici'

export interface FoundServer {
  /** What usually listens there; the answer does not tell. */
  name: string
  url: string
  /** At most 100, as the server calls them. */
  models: readonly string[]
}

export interface ServerPlace {
  name: string
  port: number
}

/** Where they listen unless they are told otherwise. */
export const usualPlaces: readonly ServerPlace[] = [
  { name: 'Ollama', port: 11_434 },
  { name: 'llama.cpp', port: 8_080 },
  { name: 'LM Studio', port: 1_234 },
  { name: 'vLLM', port: 8_000 },
]

/** On loopback a server answers in milliseconds, or is busy with loading. */
const waitMs = 1_000
/** One that was named may be far away. */
const namedWaitMs = 10_000
/** A list of a hundred models has some 20 KB. */
const bodyBytesMax = 262_144
const modelsMax = 100

/**
 * Model servers on this machine. Nothing but `GET /v1/models` is sent, to all places at once. Never throws: whatever is
 * not there, late, too long or no such list is not in the answer.
 */
export async function findServers(
  options: { ownPorts?: readonly number[]; places?: readonly ServerPlace[] } = {},
): Promise<FoundServer[]> {
  const { ownPorts = [], places = usualPlaces } = options
  const agent = new Agent({ connect: { timeout: waitMs } })
  try {
    const asked = places
      .filter(({ port }) => !ownPorts.includes(port))
      .map((place) => askPlace(agent, place).catch(() => null))
    return (await Promise.all(asked)).filter((server) => server !== null)
  } finally {
    await agent.destroy()
  }
}

async function askPlace(agent: Agent, { name, port }: ServerPlace): Promise<FoundServer | null> {
  const url = `http://127.0.0.1:${port}/v1`
  const models = await askForModels(agent, url, null, waitMs)
  return models === null ? null : { name, url, models }
}

/** The models of one server that the operator named, `/v1` included. Null: it does not say. */
export async function listServerModels(
  url: string,
  apiKey: string | null,
): Promise<readonly string[] | null> {
  const agent = new Agent({ connect: { timeout: namedWaitMs } })
  try {
    return await askForModels(agent, url, apiKey, namedWaitMs)
  } catch {
    return null
  } finally {
    await agent.destroy()
  }
}

async function askForModels(
  agent: Agent,
  url: string,
  apiKey: string | null,
  timeoutMs: number,
): Promise<string[] | null> {
  const { statusCode, body } = await request(`${url}/models`, {
    dispatcher: agent,
    signal: AbortSignal.timeout(timeoutMs),
    headers: {
      accept: 'application/json',
      'user-agent': 'casenote',
      ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
    },
  })
  // A body that is destroyed before its end emits an error that nobody else would hear.
  body.on('error', () => undefined)
  try {
    if (statusCode !== 200) return null
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > bodyBytesMax) return null
      chunks.push(chunk)
    }
    return readModels(JSON.parse(Buffer.concat(chunks).toString('utf8')))
  } finally {
    body.destroy()
  }
}

/** `{ data: [{ id }] }`; names are printed, so that nothing but plain characters is taken. */
function readModels(answer: unknown): string[] | null {
  const data = (answer as { data?: unknown } | null)?.data
  if (!Array.isArray(data)) return null
  return data
    .slice(0, modelsMax)
    .map((entry) => (entry as { id?: unknown } | null)?.id)
    .filter((id): id is string => typeof id === 'string' && /^[\x21-\x7e]{1,200}$/.test(id))
}
