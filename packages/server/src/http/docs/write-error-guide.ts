import { errorCatalogueIntroduction, listErrorCodes, surfaceTitles } from './list-error-codes.js'

/** docs/errors.md, which `/docs/errors` shows: the heading of a code is its anchor. */
export function writeErrorGuide(): string {
  const surfaces = (['api', 'own'] as const).flatMap((surface) => [
    `## ${surfaceTitles[surface]}`,
    ...listErrorCodes(surface).flatMap(({ status, codes }) => [
      `### ${status}${surface === 'own' ? ' there' : ''}`,
      ...codes.flatMap(({ code, title, meaning, action }) => [
        `#### \`${code}\``,
        `${title}. ${meaning}`,
        `**What to do:** ${action}`,
      ]),
    ]),
  ])
  return `${['# Error codes', ...errorCatalogueIntroduction, ...surfaces].join('\n\n')}\n`
}
