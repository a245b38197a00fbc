import { useState } from 'react'
import { CheckField, TextField } from '../../../parts/control/field.tsx'
import { Code } from '../../../parts/code/copy-button.tsx'
import { Tabs } from '../../../parts/control/tabs.tsx'
import { useRead } from '../../../session/use-read.ts'
import { writeCommand, isPlainWord, SYSTEMS } from './write-command.ts'

/** The command to paste, with what it should do as controls. */
export function InstallCommand({ command }: { command: string }) {
  const [isService, setService] = useState(false)
  const [model, setModel] = useState('')
  const models = useRead('/models').data?.models ?? []
  const isWrong = model.trim() !== '' && !isPlainWord(model.trim())
  return (
    <div className="stack">
      <p>
        Run this in a terminal on the machine. It installs the device app, connects it to this organization and
        downloads the model.
      </p>
      <TextField
        label="Model"
        required={false}
        placeholder="starter model"
        hint="A name like qwen3:8b, hf:owner/name or a URL. Leave it empty to start with a small model."
        error={isWrong ? 'Use letters, digits and . : / - _ only' : undefined}
        list="models-to-install"
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={model}
        onText={setModel}
      />
      <datalist id="models-to-install">
        {models
          .filter(({ name, state }) => state === 'enabled' && isPlainWord(name))
          .map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
      </datalist>
      <CheckField
        label="Keep it running in the background, even after a restart"
        checked={isService}
        onChange={({ target }) => setService(target.checked)}
      />
      <Tabs
        label="Systems"
        tabs={SYSTEMS.map((system) => ({
          name: system.name,
          content: (
            <div className="stack-small">
              <Code
                text={writeCommand(command, system, { isService, model: isWrong ? '' : model })}
                label="Install command"
              />
              <p className="text-soft text-small">{system.about}</p>
            </div>
          ),
        }))}
      />
      <p className="text-soft text-small">This command is shown only once. Anyone who has it can add one device.</p>
    </div>
  )
}
