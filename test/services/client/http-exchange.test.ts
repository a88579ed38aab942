import { getEventListeners } from 'node:events'
import type { Dispatcher } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { sendOnce } from '../../../src/lib/services/client/http-exchange.ts'

afterEach(() => void vi.useRealTimers())

const request = { path: '/', method: 'POST' } as const
const limits = { timeoutMs: 200, maxBytes: 100, signal: new AbortController().signal }

/** A dispatcher that does what undici may do under a broken connection: announce the same request twice. */
function stubborn() {
  const aborted: number[] = []
  const dispatch = (_: unknown, handler: Dispatcher.DispatchHandler) => {
    const start = (nth: number) => {
      const controller = { abort: () => void aborted.push(nth) } as unknown as Dispatcher.DispatchController
      handler.onRequestStart?.(controller, {})
      return controller
    }
    start(1)
    const second = start(2)
    handler.onResponseError?.(second, new Error('the connection broke'))
    return true
  }
  return { dispatcher: { dispatch } as unknown as Dispatcher, aborted }
}

describe('an exchange', () => {
  it('stops the second writing of its request, and says that a byte may have left', async () => {
    const { dispatcher, aborted } = stubborn()
    expect(await sendOnce(dispatcher, request, limits)).toMatchObject({ end: 'broken', left: true })
    expect(aborted).toEqual([2])
  })

  it('given up while it waits for a connection is not written afterwards', async () => {
    let handler: Dispatcher.DispatchHandler = {}
    let aborted = false
    const dispatch = (_: unknown, given: Dispatcher.DispatchHandler) => {
      handler = given
      return true
    }
    const controller = new AbortController()
    const waiting = sendOnce({ dispatch } as unknown as Dispatcher, request, {
      ...limits,
      signal: controller.signal,
    })
    controller.abort()
    expect(await waiting).toMatchObject({ end: 'broken', left: false })
    const late = {
      abort: () => {
        aborted = true
      },
    } as unknown as Dispatcher.DispatchController
    handler.onRequestStart?.(late, {})
    expect(aborted).toBe(true)
  })

  it('given up before it begins is never handed over', async () => {
    let dispatched = false
    const dispatch = () => {
      dispatched = true
      return true
    }
    const signal = AbortSignal.abort()
    const exchange = await sendOnce({ dispatch } as unknown as Dispatcher, request, { ...limits, signal })
    expect(exchange).toMatchObject({ end: 'broken', left: false, cause: { message: 'given up' } })
    expect(dispatched).toBe(false)
  })

  it('that its dispatcher does not take never left', async () => {
    const refused = new Error('closed')
    const dispatch = () => {
      throw refused
    }
    const exchange = await sendOnce({ dispatch } as unknown as Dispatcher, request, limits)
    expect(exchange).toMatchObject({ end: 'broken', left: false, cause: refused })
  })

  it('that breaks after a mere hint of an answer has no status', async () => {
    const dispatch = (_: unknown, handler: Dispatcher.DispatchHandler) => {
      const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController
      handler.onRequestStart?.(controller, {})
      handler.onResponseStart?.(controller, 103, { 'retry-after': '9' })
      handler.onResponseError?.(controller, new Error('reset'))
      return true
    }
    const exchange = await sendOnce({ dispatch } as unknown as Dispatcher, request, limits)
    expect(exchange).toMatchObject({ end: 'broken', left: true, status: undefined, headers: {} })
  })

  it('leaves no timer behind, and listens to nobody', async () => {
    vi.useFakeTimers()
    const { signal } = new AbortController()
    await sendOnce(stubborn().dispatcher, request, { ...limits, signal })
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it.each([
    ['ends', 100],
    ['is too large', 101],
  ])('whose answer %s without a status has the status 0', async (_, bytes) => {
    const dispatch = (_: unknown, handler: Dispatcher.DispatchHandler) => {
      const controller = { abort: () => undefined } as unknown as Dispatcher.DispatchController
      handler.onRequestStart?.(controller, {})
      handler.onResponseData?.(controller, Buffer.alloc(bytes))
      handler.onResponseEnd?.(controller, {})
      return true
    }
    const exchange = await sendOnce({ dispatch } as unknown as Dispatcher, request, limits)
    expect(exchange).toMatchObject({ end: 'answered', status: 0 })
  })
})
