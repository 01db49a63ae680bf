import { ERROR_CODES, type ErrorCode, type ErrorCodeEntry } from '@casenote/contract'

export interface CataloguedCode extends ErrorCodeEntry {
  code: ErrorCode
}

export interface CodesOfStatus {
  status: number
  codes: CataloguedCode[]
}

/** The codes of a surface by their status, as the page and the guide show them. */
export function listErrorCodes(surface: ErrorCodeEntry['surface']): CodesOfStatus[] {
  const byStatus = new Map<number, CataloguedCode[]>()
  for (const [code, entry] of Object.entries(ERROR_CODES)) {
    if (entry.surface !== surface) continue
    const codes = byStatus.get(entry.status) ?? []
    byStatus.set(entry.status, [...codes, { ...entry, code: code as ErrorCode }])
  }
  return [...byStatus].map(([status, codes]) => ({ status, codes }))
}

/** In the page and in the guide alike; Markdown's backticks for code. */
export const errorCatalogueIntroduction = [
  'Every error has two headers beside its body: `Casenote-Error-Code`, a stable code to branch on, and `Link`, which leads to its entry here (`rel="help"`). The bodies are as the reference says, and the HTTP status stays the first thing to look at.',
  'A code tells no more than the body does: an id that does not exist and one that is not yours are both `not_found`, and whatever is wrong with an API key is `invalid_api_key`. Codes keep their meaning; new ones may come, so treat one that you do not know by its status.',
  '`X-Request-Id` of the same answer is what the operator needs to find a call in the log.',
] as const

export const surfaceTitles = {
  api: 'The Partner API',
  own: 'Only the widget and the clients’ pages',
} as const satisfies Record<ErrorCodeEntry['surface'], string>
