import type { CodePiece } from './highlight-code.ts'
import workerUrl from './highlight-worker.ts?worker&url'
import type { HighlightWorker } from './highlighter.ts'

interface TrustedTypes {
  createPolicy: (name: string, rules: { createScriptURL: () => string }) => { createScriptURL: (url: string) => string }
}

/** Where browsers ask for a policy about the addresses of scripts, this one knows a single address. */
const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
const policy = trustedTypes?.createPolicy('highlight-worker', { createScriptURL: () => workerUrl })

export function startHighlightWorker(): HighlightWorker {
  const worker = new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { type: 'module' })
  return {
    ready: nextMessage(worker),
    highlight: async (code) => {
      const answer = nextMessage(worker)
      worker.postMessage(code, [])
      return answer
    },
    end: () => worker.terminate(),
  }
}

/** The worker says that it is ready, and then answers each question. */
async function nextMessage(worker: Worker): Promise<CodePiece[] | undefined> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('The worker failed.'))
    worker.addEventListener('error', fail, { once: true })
    worker.addEventListener(
      'message',
      ({ data }: MessageEvent<CodePiece[] | undefined>) => {
        worker.removeEventListener('error', fail)
        resolve(data)
      },
      { once: true },
    )
  })
}
