/** A guide of the site: a Markdown file of this repository, and where it is read. */
export interface GuidePage {
  path: string
  file: string
  /** In the menu; the page's own title is its first heading. */
  label: string
  section: 'Start' | 'Guides'
}

/** In the order of the menu. One line adds a page. */
export const guidePages: readonly GuidePage[] = [
  { path: '/docs', file: 'docs/site/overview.md', label: 'Overview', section: 'Start' },
  { path: '/docs/quick-start', file: 'docs/site/quick-start.md', label: 'Quick start', section: 'Start' },
  { path: '/docs/guides/webhooks', file: 'docs/webhooks.md', label: 'Webhooks', section: 'Guides' },
  { path: '/docs/guides/widget', file: 'docs/widget.md', label: 'Widget', section: 'Guides' },
  { path: '/docs/guides/assessments', file: 'docs/assessments.md', label: 'Assessments', section: 'Guides' },
  {
    path: '/docs/guides/client-pages',
    file: 'docs/client-pages.md',
    label: 'The clients’ pages',
    section: 'Guides',
  },
  { path: '/docs/guides/plans', file: 'docs/plans.md', label: 'Plans and context', section: 'Guides' },
  { path: '/docs/guides/signing', file: 'docs/signing.md', label: 'Before and after', section: 'Guides' },
  { path: '/docs/guides/magic-edit', file: 'docs/magic-edit.md', label: 'Magic edits', section: 'Guides' },
  { path: '/docs/guides/errors', file: 'docs/site/handling-errors.md', label: 'Errors', section: 'Guides' },
  { path: '/docs/errors', file: 'docs/errors.md', label: 'Error codes', section: 'Guides' },
  { path: '/docs/guides/failures', file: 'docs/failures.md', label: 'Failed sessions', section: 'Guides' },
  {
    path: '/docs/guides/nothing-twice',
    file: 'docs/nothing-twice.md',
    label: 'Nothing twice',
    section: 'Guides',
  },
  { path: '/docs/guides/request-log', file: 'docs/request-log.md', label: 'Request log', section: 'Guides' },
  { path: '/docs/guides/templates', file: 'docs/templates.md', label: 'Templates', section: 'Guides' },
  {
    path: '/docs/guides/off-the-record',
    file: 'docs/off-the-record.md',
    label: 'Off the record',
    section: 'Guides',
  },
  { path: '/docs/guides/voices', file: 'docs/voices.md', label: 'More than two voices', section: 'Guides' },
  { path: '/docs/guides/erasure', file: 'docs/erasure.md', label: 'Erasure', section: 'Guides' },
  { path: '/docs/guides/export', file: 'docs/export.md', label: 'A person’s export', section: 'Guides' },
  { path: '/docs/guides/consent', file: 'docs/consent.md', label: 'Consent', section: 'Guides' },
  { path: '/docs/guides/console', file: 'docs/console.md', label: 'Console', section: 'Guides' },
  { path: '/docs/guides/sdks', file: 'docs/sdks.md', label: 'SDKs', section: 'Guides' },
  {
    path: '/docs/guides/sdk-typescript',
    file: 'packages/sdk/README.md',
    label: 'SDK for TypeScript',
    section: 'Guides',
  },
  {
    path: '/docs/guides/sdk-python',
    file: 'sdk/python/README.md',
    label: 'SDK for Python',
    section: 'Guides',
  },
  { path: '/docs/guides/limits', file: 'docs/site/limits.md', label: 'Limits', section: 'Guides' },
  { path: '/docs/guides/sandbox', file: 'docs/sandbox.md', label: 'Sandbox', section: 'Guides' },
  {
    path: '/docs/guides/going-live',
    file: 'docs/site/going-live.md',
    label: 'Going live',
    section: 'Guides',
  },
  {
    path: '/docs/guides/moving',
    file: 'docs/site/moving.md',
    label: 'Coming from another API',
    section: 'Guides',
  },
]

/** Files that guides link to and that the service serves as they are. */
export const servedFiles: Readonly<Record<string, string>> = {
  'packages/sdk/examples/integration.ts': '/docs/sdk/integration.ts',
  'sdk/python/examples/integration.py': '/docs/sdk/integration.py',
}
