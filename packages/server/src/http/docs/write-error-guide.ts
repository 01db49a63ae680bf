import { ERROR_CODES, type ErrorCode, type ErrorCodeEntry } from '@casenote/contract'

const introduction = [
  'Every error has two headers beside its body: `Casenote-Error-Code`, a stable code to branch on, and `Link`, which leads to its entry here (`rel="help"`). The bodies are as the reference says, and the HTTP status stays the first thing to look at.',
  'A code tells no more than the body does: an id that does not exist and one that is not yours are both `not_found`, and whatever is wrong with an API key is `invalid_api_key`. Codes keep their meaning; new ones may come, so treat one that you do not know by its status.',
  '`X-Request-Id` of the same answer is what the operator needs to find a call in the log.',
]

const surfaceTitles = {
  api: 'The Partner API',
  own: 'Only the widget, the clients’ pages and the console',
} as const satisfies Record<ErrorCodeEntry['surface'], string>

/** docs/errors.md, which `/docs/errors` shows: the heading of a code is its anchor. */
export function writeErrorGuide(): string {
  const surfaces = (['api', 'own'] as const).flatMap((surface) => [
    `## ${surfaceTitles[surface]}`,
    ...[...groupByStatus(surface)].flatMap(([status, codes]) => [
      `### ${status}${surface === 'own' ? ' there' : ''}`,
      ...codes.flatMap(([code, { title, meaning, action }]) => [
        `#### \`${code}\``,
        `${title}. ${meaning}`,
        `**What to do:** ${action}`,
      ]),
    ]),
  ])
  return `${['# Error codes', ...introduction, ...surfaces].join('\n\n')}\n`
}

type CataloguedCode = [code: ErrorCode, entry: ErrorCodeEntry]

/** The codes of a surface by their status, in the order of the list. */
function groupByStatus(surface: ErrorCodeEntry['surface']): Map<number, CataloguedCode[]> {
  const byStatus = new Map<number, CataloguedCode[]>()
  for (const [code, entry] of Object.entries(ERROR_CODES) as CataloguedCode[]) {
    if (entry.surface !== surface) continue
    byStatus.set(entry.status, [...(byStatus.get(entry.status) ?? []), [code, entry]])
  }
  return byStatus
}
