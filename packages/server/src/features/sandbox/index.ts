export { takeSandboxFault } from './provoke-faults.js'
export { registerSandbox, type SandboxParts } from './sandbox.routes.js'
