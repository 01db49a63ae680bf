/** As the hosts of repositories make them, so that a link of a guide works in both places. */
export const toSlug = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
