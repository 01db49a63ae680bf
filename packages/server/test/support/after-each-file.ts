import { afterAll } from 'vitest'
import { endLeftovers } from './casenote-process.js'

// Registered before those of the file, and so run after them.
afterAll(endLeftovers)
