import { html, renderInline, type Html } from './html.js'
import {
  errorCatalogueIntroduction,
  listErrorCodes,
  surfaceTitles,
  type CataloguedCode,
} from './list-error-codes.js'

/** The page that the `Link` of every error leads to: an anchor for each code. */
export function renderErrorCatalogue(): string {
  const surfaces = (['api', 'own'] as const).map((surface) => ({
    surface,
    title: surfaceTitles[surface],
    statuses: listErrorCodes(surface),
  }))
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Error codes</title>
        <link rel="stylesheet" href="/docs/reference.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <p class="title">Error codes</p>
          <p><a href="/docs">API reference</a></p>
        </header>
        <nav aria-label="Contents" class="codes">
          <ul>
            ${surfaces.map(
              ({ surface, title, statuses }) =>
                html`<li>
                  <a href="#surface-${surface}">${title}</a>
                  <ul>
                    ${statuses.map(
                      ({ status }) =>
                        html`<li><a href="#${surface}-${String(status)}">${String(status)}</a></li>`,
                    )}
                  </ul>
                </li>`,
            )}
          </ul>
        </nav>
        <main id="content">
          <h1>Error codes</h1>
          ${errorCatalogueIntroduction.map((text) => html`<p>${renderInline(text)}</p>`)}
          ${surfaces.map(
            ({ surface, title, statuses }) =>
              html`<section id="surface-${surface}">
                <h2>${title}</h2>
                ${statuses.map(
                  ({ status, codes }) =>
                    html`<h3 id="${surface}-${String(status)}">${String(status)}</h3>
                      ${codes.map(renderCode)}`,
                )}
              </section>`,
          )}
        </main>
      </body>
    </html>`
  return page.text
}

const renderCode = ({ code, title, meaning, action }: CataloguedCode): Html =>
  html`<article id="${code}">
    <h4>
      <a href="#${code}"><code>${code}</code></a
      >: ${title}
    </h4>
    <p>${renderInline(meaning)}</p>
    <p><strong>What to do:</strong> ${renderInline(action)}</p>
  </article>`
