// Browsers start no workers for pages that are opened from a folder. There the search, which is one, runs in a
// hidden frame: messages to it are events of the frame's window, and what it posts are events of this object.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html>";
      this.running = new Promise((run) => {
        this.frame.onload = () => {
          const inside = this.frame.contentWindow;
          const load = (src) =>
            new Promise((resolve, reject) => {
              const script = inside.document.createElement("script");
              Object.assign(script, { src, onload: resolve, onerror: reject });
              inside.document.head.append(script);
            });
          inside.importScripts = (...urls) => urls.reduce((last, src) => last.then(() => load(src)), Promise.resolve());
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          load(url).then(() => run(inside));
        };
      });
      document.body.append(this.frame);
    }
    postMessage(data) {
      this.running.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
