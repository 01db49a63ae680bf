import { html, renderInline, type Html } from './html.js'
import { renderSchema, type Schema } from './render-schema.js'

/** The parts of our own OpenAPI document that the page shows. */
export interface OpenApiDocument {
  info: { title: string; version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required: boolean; description?: string; schema: Schema }[]
  requestBody?: { required: boolean; content: Content }
  responses: Record<string, { description: string; content?: Content }>
}

type Content = Record<'application/json', { schema: Schema; example?: unknown }>

interface Entry extends Operation {
  method: string
  path: string
}

/** One page, rendered on the server: no script, nothing from another host, readable with any browser and reader. */
export function renderReference(document: OpenApiDocument): string {
  const { info, tags, components } = document
  const entries = listEntries(document)
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${info.title}</title>
        <link rel="stylesheet" href="/docs/reference.css" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <p class="title">${info.title} <span class="version">${info.version}</span></p>
          <p><a href="/docs/errors">Error codes</a> · <a href="/docs/openapi.json">openapi.json</a></p>
        </header>
        <nav aria-label="Contents">
          <ul>
            <li><a href="#introduction">Introduction</a></li>
            ${tags.map((tag) => renderContents(tag.name, entries))}
            <li><a href="#shapes">Shapes</a></li>
          </ul>
        </nav>
        <main id="content">
          <section id="introduction">
            <h1>${info.title}</h1>
            ${info.description.split('\n\n').map((text) => html`<p>${renderInline(text)}</p>`)}
          </section>
          ${tags.map((tag) => renderTag(tag.name, entries, components.schemas))}
          <section id="shapes">
            <h2>Shapes</h2>
            ${Object.entries(components.schemas).map(
              ([name, schema]) =>
                html`<article id="shape-${name}">
                  <h3>${name}</h3>
                  ${schema.description ? html`<p>${schema.description}</p>` : ''} ${renderSchema(schema)}
                </article>`,
            )}
          </section>
        </main>
      </body>
    </html>`
  return page.text
}

function listEntries({ paths }: OpenApiDocument): Entry[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

function renderContents(tag: string, entries: readonly Entry[]): Html {
  return html`<li>
    <a href="#${toAnchor(tag)}">${tag}</a>
    <ul>
      ${entries
        .filter((entry) => entry.tags.includes(tag))
        .map((entry) => html`<li><a href="#${toAnchor(entry.operationId)}">${entry.summary}</a></li>`)}
    </ul>
  </li>`
}

type Schemas = OpenApiDocument['components']['schemas']

function renderTag(name: string, entries: readonly Entry[], schemas: Schemas): Html {
  return html`<section id="${toAnchor(name)}">
    <h2>${name}</h2>
    ${entries.filter((entry) => entry.tags.includes(name)).map((entry) => renderEntry(entry, schemas))}
  </section>`
}

function renderEntry(entry: Entry, schemas: Schemas): Html {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = entry
  return html`<article id="${toAnchor(operationId)}">
    <h3>${summary}</h3>
    <p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    ${description === `${summary}.` ? '' : html`<p>${renderInline(description)}</p>`}
    ${parameters.length > 0 ? renderParameters(parameters) : ''}
    ${
      requestBody === undefined
        ? ''
        : html`<h4>Body</h4>
            ${renderSchema(resolve(requestBody.content['application/json'].schema, schemas))}`
    }
    <h4>Example</h4>
    ${renderCode(`The call ${operationId}`, makeCurl(entry))}
    <h4>Answers</h4>
    <dl>
      ${Object.entries(responses).map(
        ([status, { description: text, content }]) =>
          html`<dt><span class="status">${status}</span></dt>
            <dd>
              <p>${renderInline(text)}</p>
              ${renderAnswer(`${operationId} ${status}`, status, content)}
            </dd>`,
      )}
    </dl>
  </article>`
}

/** What a body needs is shown where it is needed, not behind a link. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.slice(schema.$ref.lastIndexOf('/') + 1)
  return (name === undefined ? undefined : schemas[name]) ?? schema
}

/** The good answer is shown whole; errors only by the name of their shape, which is one of two. */
function renderAnswer(name: string, status: string, content: Content | undefined): Html | '' {
  const json = content?.['application/json']
  if (json === undefined) return ''
  if (!status.startsWith('2')) return renderSchema(json.schema)
  return html`${renderSchema(json.schema)}
  ${json.example === undefined ? '' : renderCode(`Example of ${name}`, JSON.stringify(json.example, null, 2))}`
}

function renderParameters(parameters: NonNullable<Operation['parameters']>): Html {
  return html`<h4>Parameters</h4>
    <dl>
      ${parameters.map(
        (parameter) =>
          html`<dt><code>${parameter.name}</code> <span class="hint">in ${parameter.in}</span></dt>
            <dd>
              ${parameter.description ? html`<p>${renderInline(parameter.description)}</p>` : ''}
              ${renderSchema(parameter.schema)}
            </dd>`,
      )}
    </dl>`
}

/** Scrolls sideways, so it must be reachable by keyboard and have a name. */
const renderCode = (name: string, code: string): Html =>
  html`<pre tabindex="0" role="region" aria-label="${name}"><code>${code}</code></pre>`

function makeCurl({ method, path, security, requestBody }: Entry): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"$BASE_URL${path.replaceAll(/\{(\w+)\}/g, '$$$1')}"`,
  ]
  lines.push('  -H "X-API-Key: $API_KEY"')
  if (security === undefined) lines.push('  -H "Access-Token: $ACCESS_TOKEN"')
  const example = requestBody?.content['application/json'].example
  if (example !== undefined) {
    lines.push('  -H "Content-Type: application/json"', `  -d '${JSON.stringify(example)}'`)
  }
  return lines.join(' \\\n')
}

const toAnchor = (name: string): string => name.replaceAll(/[^A-Za-z0-9]+/g, '-')
