export interface Stage {
  from: string
  run: string[][]
  copy: string[][]
  env: Record<string, string>
  user: string | null
  entrypoint: string[]
  command: string[]
  healthcheck: string[]
}

/** As far as ours goes: no shell forms, which are refused. */
export function readContainerfile(text: string): { stages: Stage[] } {
  const lines = text
    .replaceAll(/^\s*#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
  const stages: Stage[] = []
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? []
    if (word === 'FROM') {
      stages.push({
        from: rest,
        run: [],
        copy: [],
        env: {},
        user: null,
        entrypoint: [],
        command: [],
        healthcheck: [],
      })
      continue
    }
    const stage = stages.at(-1)
    if (stage === undefined) continue // An argument of all stages.
    read(stage, word, rest)
  }
  return { stages }
}

function read(stage: Stage, word: string, rest: string): void {
  switch (word) {
    case 'RUN':
      stage.run.push(JSON.parse(rest) as string[])
      break
    case 'COPY':
      stage.copy.push(rest.split(' '))
      break
    case 'ENV':
      for (const pair of rest.split(' ')) {
        const [name = '', value = ''] = pair.split('=')
        stage.env[name] = value
      }
      break
    case 'USER':
      stage.user = rest
      break
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(rest) as string[]
      break
    case 'CMD':
      stage.command = JSON.parse(rest) as string[]
      break
    case 'HEALTHCHECK':
      stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) as string[]
      break
    default:
      if (!['WORKDIR', 'VOLUME', 'EXPOSE', 'STOPSIGNAL', 'ARG'].includes(word))
        throw new Error(`what is ${word}?`)
  }
}

/** Whether a path is left out of what an image is built from: by itself or with a folder above it. Without exceptions, which are refused. */
export function readDockerignore(text: string): (path: string) => boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'))
  if (lines.some((line) => /[!?[\]\\]/.test(line))) throw new Error('only names, * and ** are read')
  const escaped = lines.map((line) =>
    line
      .replace(/^\/|\/$/g, '')
      .replaceAll('.', String.raw`\.`)
      .replaceAll(/\*\*\/|\*/g, (stars) => (stars === '*' ? '[^/]*' : '(?:.*/)?')),
  )
  const pattern = new RegExp(`^(?:${escaped.join('|')})(?:/|$)`)
  return (path) => pattern.test(path)
}
