import { guidePages, servedFiles, type GuidePage } from '../pages.js'
import type { SitePage } from './page.js'
import { listReferencePages } from './reference/list-pages.js'
import type { OpenApiDocument } from './reference/open-api.js'
import { renderMarkdown, type ResolveLink } from './render-markdown.js'

/** Every page of the site in the order of the menu. `readSource`: a file of this repository by its path. */
export function renderSite(document: OpenApiDocument, readSource: (file: string) => string): SitePage[] {
  const guides = guidePages.map((page) => ({
    ...renderMarkdown(readSource(page.file), makeLinkResolver(page, readSource)),
    path: page.path,
    label: page.label,
    group: page.section,
  }))
  return [...guides, ...listReferencePages(document)]
}

const notFound = `# Page not found

There is no page at this address. Look for it in the menu, search for it, or begin with the [overview](/docs).
`

/** A page with no address and in no menu: shown for whatever the site does not have. */
export const renderNotFound = (): SitePage => ({
  ...renderMarkdown(notFound, (href) => href),
  path: '',
  label: '',
  group: '',
})

/**
 * Links between guides are relative paths of files, which work in the repository, too. Those to files that the site does not
 * have become text; one to no file at all ends the build.
 */
function makeLinkResolver({ file }: GuidePage, readSource: (file: string) => string): ResolveLink {
  return (href) => {
    if (/^(?:https?:|#|\/)/.test(href)) return href
    const [target = '', anchor] = href.split('#')
    const { pathname } = new URL(target, `file:///${file}`)
    const found = guidePages.find((one) => `/${one.file}` === pathname)
    if (found === undefined) {
      const source = decodeURIComponent(pathname.slice(1))
      readSource(source) // Throws, with its name, if it is not there.
      return servedFiles[source] ?? null
    }
    return anchor === undefined ? found.path : `${found.path}#${anchor}`
  }
}

/** One entry of the search index: path, title of the page, heading, text. Arrays pack better than objects. */
export type SearchEntry = readonly [href: string, title: string, heading: string, text: string]

/** Enough to find a section by any of its words; a longer one says little that its first page does not. */
const searchTextLengthMax = 3_000

export function makeSearchIndex(pages: readonly SitePage[]): SearchEntry[] {
  return pages.flatMap(({ path, title, sections }) =>
    sections.map(({ heading, anchor, text }): SearchEntry => [
      anchor === null ? path : `${path}#${anchor}`,
      title,
      heading,
      text.replaceAll('`', '').replaceAll(/\s+/g, ' ').trim().slice(0, searchTextLengthMax),
    ]),
  )
}
