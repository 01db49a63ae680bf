import { listOperations, type OpenApiDocument } from './open-api-document.js'

/** What `/llms.txt` links to, beside the document itself. */
export interface LlmsLinks {
  publicUrl: string
  /** The files at `/docs/sdk/`, by their names. */
  sdkFiles: readonly string[]
}

/** The API in one page for language models, in the form of llmstxt.org: what it is, the rules, then every operation. */
export function renderLlms(document: OpenApiDocument, { publicUrl, sdkFiles }: LlmsLinks): string {
  const { info, tags } = document
  const operations = listOperations(document)
  const sections = tags.map(({ name }) => {
    const lines = operations
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ path, method, operation }) =>
          `- \`${method} ${path}\` (\`${operation.operationId}\`): ${operation.summary}`,
      )
    return `### ${name}\n\n${lines.join('\n')}\n`
  })
  const sdks = sdkFiles.map(
    (file) => `- [${file}](${publicUrl}/docs/sdk/${file}): ${installation(file, publicUrl)}`,
  )
  return `# ${info.title}

> ${info.description}

Base URL: \`${publicUrl}/v2\`. Version ${info.version}.

## Rules

- \`POST /partners/authenticate\` with \`X-API-Key\` and \`{"clientId", "clientSecret"}\` gives \`accessToken\` for 3600 seconds. Send it in
  the \`Access-Token\` header, not as \`Authorization\`, beside \`X-API-Key\`, with every other call. 401 means expired: authenticate again.
- Errors have two shapes: \`{"message": "…"}\` from the gateway, and \`{"error": {"message", "statusCode", …}, "path"}\` from the
  application, where \`error.message\` is a string or \`{"message": ["…"]}\` with one text for each refused field. Branch on the status.
- 404 means that it does not exist or is not yours. 403 \`Missing Authentication Token\` means that the route is wrong, often without \`/v2\`.
- Lists answer \`{"data": […], "meta": {"totalItems", "totalPages", "itemsPerPage", "currentPage"}}\`, ten items a page, oldest first; ask
  with \`page\` until \`currentPage\` equals \`totalPages\`. To find what you created, filter by \`externalId\`.
- A note: create a client, create a session with \`fileUrl\` or \`text\`, wait for the webhook \`progress_note_generated\` or read
  \`GET /sessions/{sessionId}/progress-note\` until \`isLoading\` is false. A failed session says why in \`failure\`.
- A transcript, summary or MDM elements that do not exist yet are answered with 200 and the error envelope: look for \`transcriptItems\`,
  \`summary\` or \`problemsAddressed\`, not for the status.
- Webhooks are signed as Standard Webhooks says, with your \`clientSecret\` (\`whsec_…\`); they come at least once and in no order.
- Repeat GET, PATCH and DELETE after 5xx or 429 (see \`Retry-After\`). A repeated POST may create a second resource: search
  first, unless \`GET /partners\` says \`idempotency: true\` and both carry the same \`Idempotency-Key\`.

## Docs

- [Documentation](${publicUrl}/docs): quick start, guides, search
- [API reference](${publicUrl}/docs/reference): every operation with its fields and answers
- [OpenAPI 3.1](${publicUrl}/docs/openapi.json): the same for programs
- [Postman collection](${publicUrl}/docs/postman.json): the same for Postman

## SDKs

An operation \`client.create\` is \`casenote.clients.create(…)\` in both: TypeScript takes ids, body, options; Python the same in snake_case.

${sdks.join('\n')}

## Operations

Paths are relative to the base URL.

${sections.join('\n')}`
}

const installation = (file: string, publicUrl: string): string =>
  file.endsWith('.whl')
    ? `Python 3.9 and later, \`pip install ${publicUrl}/docs/sdk/${file}\``
    : `TypeScript and JavaScript, \`npm install ${publicUrl}/docs/sdk/${file}\``
