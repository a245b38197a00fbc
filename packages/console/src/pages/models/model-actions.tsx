import { Ban, PanelRightOpen, Power, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { Button } from '../../parts/control/button.tsx'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { RemoveModelDialog } from './remove-dialog.tsx'
import { useModelState } from './use-model-state.ts'

interface ActionsProps {
  model: Shapes['Model']
  onOpen: (name: string) => void
}

/** The buttons at the end of a model's row. */
export function ModelActions({ model, onOpen }: ActionsProps) {
  const { enable } = useModelState()
  const [isRemoving, setRemoving] = useState(false)
  return (
    <>
      {model.state !== 'enabled' && model.state !== 'adding' && (
        <Button size="small" onClick={() => enable(model.name)}>
          Enable
        </Button>
      )}
      <ModelMenu model={model} onOpen={onOpen} onRemove={() => setRemoving(true)} />
      {isRemoving && <RemoveModelDialog model={model} onClose={() => setRemoving(false)} />}
    </>
  )
}

function ModelMenu({ model: { name, state }, onOpen, onRemove }: ActionsProps & { onRemove: () => void }) {
  const { enable, disable } = useModelState()
  return (
    <RowMenu of={name}>
      <MenuItem icon={PanelRightOpen} onSelect={() => onOpen(name)}>
        Details
      </MenuItem>
      {state === 'enabled' ? (
        <MenuItem icon={Ban} onSelect={() => disable(name)}>
          Disable
        </MenuItem>
      ) : (
        <MenuItem icon={Power} onSelect={() => enable(name)}>
          Enable
        </MenuItem>
      )}
      {state !== 'offered' && (
        <MenuItem icon={Trash2} isDanger onSelect={onRemove}>
          Remove
        </MenuItem>
      )}
    </RowMenu>
  )
}
