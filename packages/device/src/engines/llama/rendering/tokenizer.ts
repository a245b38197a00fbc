// A model's tokenizer without the model: it takes the vocabulary in the model's file, and no back end. A process that only renders opens it
// with the library's file.

import { createRequire } from 'node:module'
import type { NativeModel } from '../native/vocabulary.ts'
import type { Tokenize } from '../template/prompt-guard.ts'

interface ModelBindings {
  AddonModel: new (
    path: string,
    options: { vocabOnly: true; addonExports: object },
  ) => NativeModel & {
    init(): Promise<boolean>
  }
}

/** Rejects if the file can't be read. */
export async function openTokenizer(addon: string, path: string): Promise<Tokenize> {
  const bindings = createRequire(import.meta.url)(addon) as ModelBindings
  const model = new bindings.AddonModel(path, { vocabOnly: true, addonExports: bindings })
  if (!(await model.init())) throw new Error("Can't read the vocabulary in the model's file")
  return (text, special) => model.tokenize(text, special)
}
