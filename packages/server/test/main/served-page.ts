const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

/** As a browser shows it. */
const plain = (html: string): string =>
  html
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (sign, name: string) => entities[name] ?? sign)

/** The blocks of code of a page of the documentation, in their order. */
export const readCodeOf = (page: string): string[] =>
  [...page.matchAll(/<pre[^>]*><code>([^]*?)<\/code><\/pre>/g)].map(([, code = '']) => plain(code))

/** Where the text of a page leads; its menu leads everywhere. */
export const readLinksOf = (page: string): string[] => {
  const article = /<article>([^]*)<\/article>/.exec(page)?.[1] ?? ''
  return [...article.matchAll(/href="(\/[^"#]*)/g)].map(([, href = '']) => plain(href))
}
