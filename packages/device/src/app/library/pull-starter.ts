// Downloads the starter model, so that a new machine has something to serve.

import { DeviceError, describeError } from '../../errors.ts'
import type { ModelStore } from '../../models/model-store.ts'
import type { Say } from '../../news.ts'
import type { DownloadNews } from './download-news.ts'

/** Never rejects: the owner can still pull a model. */
export async function pullStarter(
  store: Pick<ModelStore, 'pull'>,
  downloads: Pick<DownloadNews, 'pulled' | 'pullEnded'>,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  try {
    await store.pull('starter', { onNews: (news) => downloads.pulled(news), signal })
  } catch (error) {
    if (signal.aborted) return
    const advice = error instanceof DeviceError && error.advice !== undefined ? ` → ${error.advice}` : ''
    say(`${describeError(error)}${advice}`)
  } finally {
    downloads.pullEnded()
  }
}
