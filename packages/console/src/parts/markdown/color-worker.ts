import { colorCode, type Code } from './color-code.ts'

addEventListener('message', ({ data }: MessageEvent<Code>) => postMessage(colorCode(data)))
postMessage(undefined)
