import { Component, type ReactElement, type ReactNode } from "react";

import { LoadError } from "./load-error.tsx";

interface Props {
  readonly children: ReactNode;
}

interface State {
  readonly error: Error | undefined;
}

/** Shows the error of a page in its place, so that the navigation stays. */
export class PageBoundary extends Component<Props, State> {
  override state: State = { error: undefined };

  static getDerivedStateFromError(error: Error): State {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    return this.errorShown(error);
  }

  private errorShown(error: Error): ReactElement {
    return <LoadError error={error} retry={() => this.setState({ error: undefined })} />;
  }
}
