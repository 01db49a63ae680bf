// One network namespace for each process, all on one bridge with the machine. Needs root and iproute2.
import { spawnSync } from 'node:child_process'

const bridge = 'casenote0'
const network = '10.231.77'
/** The machine's own address on the bridge: the database, the store and the load are there. */
export const hostAddress = `${network}.1`
export const networkCidr = `${network}.0/24`

function ip(...words) {
  const { status, stderr, error } = spawnSync('ip', words, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`ip ${words.join(' ')}: ${error?.message ?? stderr.trim()}`)
}

const quietly = (...words) => void spawnSync('ip', words)

/** Null: this machine does not let us. */
export function openNetwork() {
  if (process.getuid?.() !== 0) return null
  const names = []
  const close = () => {
    for (const name of names) quietly('netns', 'del', name)
    quietly('link', 'del', bridge)
  }
  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('addr', 'add', `${hostAddress}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
  } catch {
    close()
    return null
  }
  /** A namespace with an address of its own, and the words that run something in it. */
  function add() {
    const number = names.length + 10
    const name = `casenote-${number}`
    const address = `${network}.${number}`
    const [here, there] = [`cn${number}a`, `cn${number}b`]
    quietly('netns', 'del', name)
    ip('netns', 'add', name)
    names.push(name)
    ip('link', 'add', here, 'type', 'veth', 'peer', 'name', there)
    ip('link', 'set', here, 'master', bridge, 'up')
    ip('link', 'set', there, 'netns', name)
    ip('-n', name, 'addr', 'add', `${address}/24`, 'dev', there)
    ip('-n', name, 'link', 'set', there, 'up')
    ip('-n', name, 'link', 'set', 'lo', 'up')
    return { address, prefix: ['ip', 'netns', 'exec', name] }
  }
  return { add, close }
}
