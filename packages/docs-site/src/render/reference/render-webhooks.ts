import { renderCode } from '../code.js'
import { html } from '../html.js'
import type { PageContent } from '../page.js'
import { renderHeading } from '../render-markdown.js'
import { resolveSchema, type OpenApiDocument } from './open-api.js'
import { renderInline } from './render-inline.js'
import { renderFields } from './render-operation.js'
import { renderSchema } from './render-schema.js'

const headersHeading = { level: 2, text: 'Headers', anchor: 'headers' }

/** Every event with its body, from `webhooks` of the document. */
export function renderWebhooks(document: OpenApiDocument): PageContent {
  const events = Object.entries(document.webhooks).map(([name, { post }]) => ({
    name,
    ...post,
    content: post.requestBody.content['application/json'],
    heading: { level: 2, text: name, anchor: name },
  }))
  const headers = events[0]?.parameters.flatMap(({ $ref }) => {
    return document.components.parameters[$ref.slice($ref.lastIndexOf('/') + 1)] ?? []
  })
  const content = html`<h1>Events</h1>
    <p>
      What is sent to your webhook endpoints. How to register one, to verify and to answer:
      <a href="/docs/guides/webhooks">Webhooks</a>. Answer 2xx to event types that you do not know.
    </p>
    ${{ text: renderHeading(headersHeading, headersHeading.text) }} ${renderFields(headers ?? [])}
    ${events.map(
      ({ summary, description, heading, content: { schema, example } }) =>
        html`${{ text: renderHeading(heading, `<code>${heading.text}</code>`) }}
          <p>${renderInline(`${summary}. ${description}`)}</p>
          ${renderCode(`Body of ${heading.text}`, JSON.stringify(example, null, 2))}
          ${renderSchema(resolveSchema(schema, document))}`,
    )}`
  return {
    title: 'Events',
    html: content.text,
    headings: [headersHeading, ...events.map(({ heading }) => heading)],
    sections: [
      { heading: 'Events', anchor: null, text: 'webhook events bodies headers signature' },
      ...events.map(({ name, summary, description }) => ({
        heading: name,
        anchor: name,
        text: `${summary} ${description}`,
      })),
    ],
  }
}
