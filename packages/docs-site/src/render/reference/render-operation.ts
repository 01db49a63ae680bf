import { renderCode, renderSnippet } from '../code.js'
import { html, type Html } from '../html.js'
import { renderHeading } from '../render-markdown.js'
import { makeSnippets } from './make-snippets.js'
import {
  resolveSchema,
  type Answer,
  type AnswerHeader,
  type Entry,
  type OpenApiDocument,
} from './open-api.js'
import { renderInline } from './render-inline.js'
import { renderSchema } from './render-schema.js'

/** `session.create` is found at `#session-create`. */
export const toAnchor = (operationId: string): string => operationId.replaceAll('.', '-')

export function renderEntry(entry: Entry, document: OpenApiDocument): Html {
  const { operationId, method, path, summary, description, parameters = [], requestBody, responses } = entry
  const heading = renderHeading(
    { level: 2, text: summary, anchor: toAnchor(operationId) },
    escapedInline(summary),
  )
  return html`${{ text: heading }}
    <p class="call"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>
    ${description === `${summary}.` ? '' : html`<p>${renderInline(description)}</p>`}
    ${renderSnippet(summary, makeSnippets(entry))}
    ${
      parameters.length > 0
        ? html`<h3>Parameters</h3>
            ${renderFields(parameters)}`
        : ''
    }
    ${
      requestBody === undefined
        ? ''
        : html`<h3>Body</h3>
            ${renderSchema(resolveSchema(requestBody.content['application/json'].schema, document))}`
    }
    <h3>Answers</h3>
    <dl class="answers">
      ${Object.entries(responses).map(([status, answer]) => renderAnswer(summary, status, answer, document))}
    </dl>`
}

const escapedInline = (text: string): string => renderInline(text).text

/** The good answer is shown whole; errors only by the name of their shape, which is one of two. */
export function renderAnswer(name: string, status: string, answer: Answer, document: OpenApiDocument): Html {
  const json = answer.content?.['application/json']
  const isGood = status.startsWith('2')
  return html`<dt><span class="status">${status}</span></dt>
    <dd>
      <p>${renderInline(answer.description)}</p>
      ${json === undefined ? '' : renderSchema(json.schema)}
      ${
        isGood && json?.example !== undefined
          ? html`<details>
              <summary>Example</summary>
              ${renderCode(`Answer ${status} of ${name}`, JSON.stringify(json.example, null, 2))}
            </details>`
          : ''
      }
      ${answer.headers === undefined ? '' : renderHeaders(answer.headers, document)}
    </dd>`
}

function renderHeaders(headers: NonNullable<Answer['headers']>, { components }: OpenApiDocument): Html {
  const resolve = (header: NonNullable<Answer['headers']>[string]): AnswerHeader | undefined =>
    '$ref' in header ? components.headers[header.$ref.slice(header.$ref.lastIndexOf('/') + 1)] : header
  return html`<details>
    <summary>Headers</summary>
    <dl class="fields">
      ${Object.entries(headers).map(
        ([name, header]) =>
          html`<dt><code>${name}</code></dt>
            <dd>${renderInline(resolve(header)?.description ?? '')}</dd>`,
      )}
    </dl>
  </details>`
}

export function renderFields(parameters: NonNullable<Entry['parameters']>): Html {
  return html`<dl class="fields">
    ${parameters.map(
      ({ name, in: place, required, description, schema }) =>
        html`<dt>
            <code>${name}</code>
            <span class="hint">in ${place}${required ? '' : ', optional'}</span>
          </dt>
          <dd>${description ? html`<p>${renderInline(description)}</p>` : ''} ${renderSchema(schema)}</dd>`,
    )}
  </dl>`
}

/** What search knows of a call. */
export function describeEntry(entry: Entry, document: OpenApiDocument): string {
  const { method, path, description, parameters = [], requestBody, responses } = entry
  const body = requestBody && resolveSchema(requestBody.content['application/json'].schema, document)
  return [
    `${method} ${path}`,
    description,
    ...parameters.map(({ name }) => name),
    ...Object.keys(body?.properties ?? {}),
    ...Object.entries(responses).map(([status, answer]) => `${status} ${answer.description}`),
  ].join(' ')
}
