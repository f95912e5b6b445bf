import { computeDigest, forClients, type OpenApi } from '../openapi.ts'
import { writeMethods } from './methods.ts'
import { createPythonTypes } from './types.ts'

/** The generated files of the Python client, by name. */
export const generatePython = (document: OpenApi): Record<'client.py' | 'types.py', string> => {
  const types = createPythonTypes(document.components.schemas)
  const methods = writeMethods(forClients(document), types)
  const head = `# Made by \`npm run client\` from the document ${computeDigest(document)}. Do not edit.`
  return {
    'types.py': `${head}\n"""The records of the API. Each is a dict; its class says which keys it has."""\n\n${types.render()}`,
    // A method returns what the server sent, which Python cannot know.
    'client.py': `${head}
# mypy: disable-error-code="no-any-return"
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Literal, Mapping, Optional, Union

from ._transport import File, Transport

if TYPE_CHECKING:
    from . import types as t


class Client(Transport):
    """Every operation of the API as a method, named after its method and path.

    A list also has a method \`all_…\`, which iterates over all of its records.
    """

${methods.join('\n\n')}
`,
  }
}
