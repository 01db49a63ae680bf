import { errorCatalogueIntroduction, listErrorCodes, surfaceTitles } from './list-error-codes.js'

/** docs/errors.md: the same catalogue for whoever reads the repository. */
export function writeErrorGuide(): string {
  const surfaces = (['api', 'own'] as const).flatMap((surface) => [
    `## ${surfaceTitles[surface]}`,
    ...listErrorCodes(surface).flatMap(({ status, codes }) => [
      `| ${status} | what it means | what to do |\n| --- | --- | --- |\n${codes
        .map(
          ({ code, title, meaning, action }) =>
            `| <a id="${code}"></a>\`${code}\` | **${title}.** ${meaning} | ${action} |`,
        )
        .join('\n')}`,
    ]),
  ])
  return `${['# Error codes', ...errorCatalogueIntroduction, ...surfaces].join('\n\n')}\n`
}
