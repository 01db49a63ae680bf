import { html, type Html } from './html.js'
import type { SitePage } from './page.js'

/** Names of the files that every page loads, with the hash of their content in them. */
export interface SiteAssets {
  js: string
  css: string
  searchIndex: string
}

/** One page of the site. Without its script everything can be read: the menu on a phone is a target of a link. */
export function renderLayout(page: SitePage, pages: readonly SitePage[], assets: SiteAssets): string {
  const toc = page.headings.filter(({ level }) => level === 2)
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.path === '/docs' ? page.title : `${page.title} · Casenote`}</title>
        <link rel="stylesheet" href="/docs/assets/${assets.css}" />
        <link rel="icon" href="data:," />
        <script type="module" src="/docs/assets/${assets.js}"></script>
      </head>
      <body data-search-index="/docs/assets/${assets.searchIndex}">
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a class="menu-link" href="#menu">Menu</a>
          <a class="home" href="/docs">Casenote <span>docs</span></a>
          <div class="search" hidden></div>
        </header>
        ${renderMenu(page, pages)}
        <main id="content" tabindex="-1">
          ${toc.length > 1 ? renderToc(toc) : ''}
          <article>${{ text: page.html }}</article>
          ${renderNeighbours(page, pages)}
        </main>
      </body>
    </html>`.text
}

function renderMenu(current: SitePage, pages: readonly SitePage[]): Html {
  const groups = [...new Set(pages.map(({ group }) => group))]
  return html`<nav id="menu" aria-label="All pages">
    <a class="close-menu" href="#content">Close the menu</a>
    ${groups.map(
      (group) =>
        html`<p>${group}</p>
          <ul>
            ${pages.filter((page) => page.group === group).map((page) => renderMenuItem(page, current))}
            ${group === 'Reference' ? html`<li><a href="/docs/openapi.json">openapi.json</a></li>` : ''}
          </ul>`,
    )}
  </nav>`
}

const renderMenuItem = (page: SitePage, current: SitePage): Html =>
  html`<li>
    <a href="${page.path}" ${page.path === current.path ? { text: 'aria-current="page"' } : ''}
      >${page.label}</a
    >
  </li>`

function renderToc(headings: SitePage['headings']): Html {
  return html`<nav class="toc" aria-label="On this page">
    <details>
      <summary>On this page</summary>
      <ul>
        ${headings.map(({ text, anchor }) => html`<li><a href="#${anchor}">${text}</a></li>`)}
      </ul>
    </details>
  </nav>`
}

function renderNeighbours(current: SitePage, pages: readonly SitePage[]): Html {
  const index = pages.findIndex(({ path }) => path === current.path)
  if (index === -1) return html``
  const [before, after] = [pages[index - 1], pages[index + 1]]
  return html`<nav class="neighbours" aria-label="Neighbouring pages">
    ${before === undefined ? '' : html`<a rel="prev" href="${before.path}"><span>Before</span> ${before.label}</a>`}
    ${after === undefined ? '' : html`<a rel="next" href="${after.path}"><span>Next</span> ${after.label}</a>`}
  </nav>`
}
