import { toSlug } from '../slug.js'
import type { PageContent, SitePage } from '../page.js'
import { html } from '../html.js'
import { renderHeading } from '../render-markdown.js'
import { listEntries, type OpenApiDocument } from './open-api.js'
import { renderInline } from './render-inline.js'
import { describeEntry, renderEntry, toAnchor } from './render-operation.js'
import { renderSchema } from './render-schema.js'
import { renderWebhooks } from './render-webhooks.js'

const group = 'Reference'

/** The reference, page by page: how calls are made, one page for each resource, the events, the shapes. */
export function listReferencePages(document: OpenApiDocument): SitePage[] {
  const resources = document.tags.map(({ name }) => {
    const label = name.charAt(0).toUpperCase() + name.slice(1)
    return { path: `/docs/reference/${toSlug(name)}`, label, group, ...renderResource(name, label, document) }
  })
  return [
    { path: '/docs/reference', label: 'All calls', group, ...renderOverview(document) },
    ...resources,
    { path: '/docs/reference/events', label: 'Events', group, ...renderWebhooks(document) },
    { path: '/docs/reference/shapes', label: 'Shapes', group, ...renderShapes(document) },
  ]
}

function renderOverview(document: OpenApiDocument): PageContent {
  const { info } = document
  const entries = listEntries(document)
  const sections = [{ heading: info.title, anchor: null, text: info.description }]
  const content = html`<h1>${info.title}</h1>
    ${info.description.split('\n\n').map((text) => html`<p>${renderInline(text)}</p>`)}
    <p>
      The same as a document for machines: <a href="/docs/openapi.json">openapi.json</a> (OpenAPI 3.1, version
      ${info.version}).
    </p>
    ${document.tags.map(({ name }) => {
      const heading = { level: 2, text: name, anchor: toSlug(name) }
      return html`${{ text: renderHeading(heading, name) }}
        <ul class="calls">
          ${entries
            .filter(({ tags }) => tags.includes(name))
            .map(
              ({ method, path, summary, operationId }) =>
                html`<li>
                  <a href="/docs/reference/${toSlug(name)}#${toAnchor(operationId)}">${summary}</a>
                  <span class="call"
                    ><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></span
                  >
                </li>`,
            )}
        </ul>`
    })}`
  return { title: info.title, html: content.text, headings: [], sections }
}

function renderResource(name: string, title: string, document: OpenApiDocument): PageContent {
  const entries = listEntries(document).filter(({ tags }) => tags.includes(name))
  return {
    title,
    html: html`<h1>${title}</h1>
      <p>
        The snippets go on after <a href="/docs/quick-start#connect">Connect</a> of the quick start; ids in
        paths are variables.
      </p>
      ${entries.map((entry) => renderEntry(entry, document))}`.text,
    headings: entries.map(({ summary, operationId }) => ({
      level: 2,
      text: summary,
      anchor: toAnchor(operationId),
    })),
    sections: [
      { heading: title, anchor: null, text: '' },
      ...entries.map((entry) => ({
        heading: entry.summary,
        anchor: toAnchor(entry.operationId),
        text: describeEntry(entry, document),
      })),
    ],
  }
}

function renderShapes({ components }: OpenApiDocument): PageContent {
  const shapes = Object.entries(components.schemas).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const headings = shapes.map(([name]) => ({ level: 2, text: name, anchor: `shape-${name}` }))
  const content = html`<h1>Shapes</h1>
    <p>What bodies and answers are made of. Absent values are <code>null</code>; keys are always there.</p>
    ${shapes.map(
      ([name, schema], index) =>
        html`${{ text: renderHeading(headings[index]!, name) }}
        ${schema.description ? html`<p>${renderInline(schema.description)}</p>` : ''} ${renderSchema(schema)}`,
    )}`
  const sections = shapes.map(([name, { description = '', properties = {} }]) => ({
    heading: name,
    anchor: `shape-${name}`,
    text: `${description} ${Object.keys(properties).join(' ')}`,
  }))
  return {
    title: 'Shapes',
    html: content.text,
    headings,
    sections: [{ heading: 'Shapes', anchor: null, text: '' }, ...sections],
  }
}
