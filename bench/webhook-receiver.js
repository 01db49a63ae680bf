// A receiver for measuring: answers 204 at once, or under /slow after 200 ms, and tells when each webhook-id first came.
import { createServer } from 'node:http'

const arrivals = new Map()
let received = 0

createServer((request, response) => {
  if (request.method === 'GET') {
    response.end(JSON.stringify({ received, arrivals: request.url === '/arrivals' ? [...arrivals] : [] }))
    return
  }
  const id = request.headers['webhook-id']
  // On the clock that the sender reads too: both are processes of one machine.
  if (request.url.startsWith('/timed')) arrivals.set(id, performance.timeOrigin + performance.now())
  request.resume()
  request.on('end', () => {
    received += 1
    if (request.url.startsWith('/slow')) setTimeout(() => response.writeHead(204).end(), 200)
    else response.writeHead(204).end()
  })
}).listen(Number(process.env.RECEIVER_PORT), '127.0.0.1')
