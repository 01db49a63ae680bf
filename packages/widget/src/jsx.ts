/** What JSX becomes in the bundle: `bin/build-web.js` puts this before every file. */
export { Fragment, h } from 'preact'
