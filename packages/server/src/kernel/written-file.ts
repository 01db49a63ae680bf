/** One wrong bracket makes hundreds; nobody reads beyond the first screen. */
const problemsMost = 20

type FileProblem = new (problems: readonly string[]) => Error

/** Parses JSON that somebody wrote by hand. */
export function parseWritten(text: string, Problem: FileProblem): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const { message } = error as Error
    const position = /at position (\d+)/.exec(message)?.[1]
    if (position === undefined) throw new Problem([`the file is not JSON: ${message}`])
    const before = text.slice(0, Number(position)).split('\n')
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
    throw new Problem([`${place}: this is not JSON`])
  }
}

/** What a schema says against it. */
export interface ShapeError {
  keyword: string
  instancePath: string
  message: string
  params: object
}

export function listShapeProblems(
  errors: readonly ShapeError[],
  word: (error: ShapeError) => string,
): string[] {
  const problems = errors
    // A union repeats what each of its members misses; the members say it better.
    .filter(({ keyword }) => keyword !== 'anyOf')
    .map((error) => `${nameField(error.instancePath)}: ${word(error)}`)
  return [...new Set(problems)].slice(0, problemsMost)
}

/** `/sections/0/title` is `sections[0].title`. */
const nameField = (pointer: string): string =>
  pointer === ''
    ? 'the file'
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce(
          (path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
          '',
        )
