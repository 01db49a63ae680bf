import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { readContainerfile } from './containerfile.js'

const deploy = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const read = (path: string): string => readFileSync(`${deploy}${path}`, 'utf8')

export type Command = 'migrate' | 'api' | 'worker' | 'dispatcher'

/** What a packaging starts: its words and its variables, as it has them. */
export interface Deployed {
  words: string[]
  env: Record<string, string>
}

/** The image's program with compose's command; the image's variables, and compose's over them. */
export function readComposed(command: Command): Deployed {
  const image = readContainerfile(read('container/Containerfile')).stages.at(-1)
  const { services } = parse(read('container/compose.yaml'), { merge: true }) as {
    services: Record<string, { command: string[]; environment: Record<string, string> }>
  }
  const service = services[command]
  return {
    words: [...(image?.entrypoint ?? []), ...(service?.command ?? [])],
    env: { ...image?.env, ...service?.environment },
  }
}

/** The unit's ExecStart, with its Environment and, over it, the settings that lie beside it. */
export function readUnit(command: Command): Deployed {
  const lines = read(`systemd/${command === 'migrate' ? 'casenote-migrate' : 'casenote@'}.service`)
    .replaceAll('%i', command)
    .split('\n')
  const of = (name: string): string[] =>
    lines.flatMap((line) => (line.startsWith(`${name}=`) ? [line.slice(name.length + 1)] : []))
  const files = of('EnvironmentFile').map((path) => path.replace('-/etc/casenote/', 'systemd/'))
  // casenote@api has no file of its own: `-` says that it need not.
  const settings = files
    .filter((path) => path !== 'systemd/api.env')
    .flatMap((path) => read(path).split('\n'))
  const pairs = [...of('Environment').flatMap((line) => line.split(' ')), ...settings]
  const env = pairs.flatMap((pair) => {
    const [, name = '', value = ''] = /^([A-Z_0-9]+)=(.*)$/.exec(pair) ?? []
    return name === '' ? [] : [[name, value] as const]
  })
  return { words: of('ExecStart').flatMap((line) => line.split(' ')), env: Object.fromEntries(env) }
}
