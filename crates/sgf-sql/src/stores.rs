//! The stores that URLs name: the disk, and those of the features `http`, `s3` and `gcs`.

use std::sync::Arc;

use datafusion::catalog::Session;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::ObjectStoreUrl;
#[cfg(feature = "cluster")]
use datafusion::execution::object_store::{DefaultObjectStoreRegistry, ObjectStoreRegistry};
use object_store::ObjectStore;
use url::{Position, Url};

/// Registers the store of a URL, unless one is registered for it.
///
/// Its settings come from the usual environment variables: `AWS_REGION`, `AWS_ENDPOINT`, `GOOGLE_SERVICE_ACCOUNT` and so
/// on.
pub(crate) fn ensure(session: &dyn Session, url: &Url) -> Result<()> {
    let base = ObjectStoreUrl::parse(&url[..Position::BeforePath])?;
    if session.runtime_env().object_store(&base).is_ok() {
        return Ok(());
    }
    session.runtime_env().register_object_store(base.as_ref(), make(url)?);
    Ok(())
}

/// The stores of an executor, which are created when a scan names them.
#[cfg(feature = "cluster")]
#[derive(Debug, Default)]
pub(crate) struct Registry(DefaultObjectStoreRegistry);

#[cfg(feature = "cluster")]
impl ObjectStoreRegistry for Registry {
    fn register_store(&self, url: &Url, store: Arc<dyn ObjectStore>) -> Option<Arc<dyn ObjectStore>> {
        self.0.register_store(url, store)
    }

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.0.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        if let Ok(store) = self.0.get_store(url) {
            return Ok(store);
        }
        let store = make(url)?;
        self.0.register_store(url, Arc::clone(&store));
        Ok(store)
    }
}

#[cfg(any(feature = "http", feature = "s3", feature = "gcs"))]
fn retries() -> object_store::RetryConfig {
    // A store that does not answer is an error within a minute or so, instead of three minutes for each request.
    object_store::RetryConfig {
        max_retries: 4,
        retry_timeout: std::time::Duration::from_secs(60),
        ..Default::default()
    }
}

fn make(url: &Url) -> Result<Arc<dyn ObjectStore>> {
    let feature = match url.scheme() {
        #[cfg(feature = "http")]
        "http" | "https" => {
            let options = object_store::ClientOptions::new().with_allow_http(true);
            let base = &url[..Position::BeforePath];
            let builder = object_store::http::HttpBuilder::new().with_url(base).with_client_options(options);
            return Ok(Arc::new(builder.with_retry(retries()).build()?));
        }
        #[cfg(feature = "s3")]
        "s3" => {
            let builder = object_store::aws::AmazonS3Builder::from_env().with_url(url.as_str());
            return Ok(Arc::new(builder.with_retry(retries()).build()?));
        }
        #[cfg(feature = "gcs")]
        "gs" => {
            let builder = object_store::gcp::GoogleCloudStorageBuilder::from_env().with_url(url.as_str());
            return Ok(Arc::new(builder.with_retry(retries()).build()?));
        }
        #[cfg(not(feature = "http"))]
        "http" | "https" => "http",
        #[cfg(not(feature = "s3"))]
        "s3" => "s3",
        #[cfg(not(feature = "gcs"))]
        "gs" => "gcs",
        scheme => {
            return Err(DataFusionError::Plan(format!(
                "{url}: no store is registered for {scheme}: expected a path, or a URL of http, https, s3 or gs"
            )));
        }
    };
    Err(DataFusionError::Plan(format!(
        "{url}: this build has no support for this store; run `cargo install --path crates/sgf-sql --features {feature}` in \
         the sources of sgf-stream"
    )))
}
