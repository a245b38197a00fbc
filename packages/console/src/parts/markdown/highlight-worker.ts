import { highlightCode, type SourceCode } from './highlight-code.ts'

addEventListener('message', ({ data }: MessageEvent<SourceCode>) => postMessage(highlightCode(data)))
postMessage(undefined)
