import type { SwaggerPlugin } from './swagger-ui.ts'

/** What of Swagger UI does not fit here: the only server is this one, and a link within a button reaches nobody who has no mouse. */
export const plainer = (): SwaggerPlugin => ({
  wrapComponents: {
    ServersContainer: () => () => null,
    DeepLink:
      (_, { React }) =>
      ({ text }) =>
        React.createElement('span', {}, text),
    responseBody:
      (ResponseBody, { React }) =>
      (props) =>
        React.createElement(ResponseBody, { ...props, contentType: savedAs(props.contentType) }),
  },
})

/** A PDF is no text to be read here: as nothing in particular it is offered as a file to save. */
const savedAs = (type = ''): string => (/^application\/pdf/.test(type) ? 'application/octet-stream' : type)
