// The process that measures the memory of a machine as an engine on this back end would see it, once.

import { watchSelf } from '../../../watch/watch-self.ts'
import { surveyMachine } from '../native/survey-machine.ts'
import type { Backend } from '../../../gpu/backend.ts'

watchSelf()
process.once('message', ({ gpu }: Pick<Backend, 'gpu'>) => {
  void surveyMachine(gpu).then((machine) => process.send?.(machine, () => process.exit(0)))
})
process.on('disconnect', () => process.exit(0))
